/// `healthsync help`
enum HelpCommand: Command {
    static let declaration = CommandDeclaration(
        "help", "Show help, or help for a command",
        arguments: [ArgumentDeclaration("COMMAND", "The words of the command", isOptional: true, repeats: true)],
        examples: ["help daily", "help outbox retry"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        try show(context.parsed.arguments, in: context)
    }

    /// Shows help for the command or group at `path`; an empty path shows the overview.
    static func show(_ path: [String], in context: CommandContext) throws -> ExitStatus {
        let declarations = CommandTable.declarations
        let program = context.environment.programName
        let help = HelpText(commands: declarations, width: min(context.environment.width, 100), program: program)
        // `import` is a command and the first word of another one.
        let isGroup =
            path.count == 1 && declarations.contains { $0.path.count > 1 && $0.path.first == path.first }
            && !declarations.contains { $0.path == path }
        let text: String
        let shown: [CommandDeclaration]
        if path.isEmpty {
            (text, shown) = (help.overview, declarations)
        } else if isGroup {
            (text, shown) = (help.group(path[0]), declarations.filter { $0.path.first == path[0] })
        } else {
            let command = try CommandLineParser(commands: declarations).command(named: path)
            (text, shown) = (help.page(of: command), [command])
        }
        context.environment.output(
            context.parsed.has("json") ? JSONText.document(HelpJSON.value(shown, program: program)) : text)
        return .done
    }
}

/// The text of `help`, generated from the declarations that also drive the parser.
package struct HelpText: Sendable {
    private let commands: [CommandDeclaration]
    private let width: Int
    private let program: String

    /// Creates help for `commands` of `program` with lines of at most `width` characters (at least 60).
    package init(commands: [CommandDeclaration], width: Int = 100, program: String = "healthsync") {
        self.commands = commands
        self.program = program
        self.width = max(60, width)
    }

    /// The overview: all commands with their summaries, and the global options.
    package var overview: String {
        var lines = wrapped(
            "\(program): import health data from files, store it locally and deliver it to your server",
            indentation: 0)
        lines += ["", "Usage: \(program) COMMAND [OPTIONS]"]
        let column = self.column(of: commands.map(\.name))
        for (group, commands) in CommandDeclaration.grouped(commands) {
            lines += ["", "\(group.isEmpty ? "Commands" : group):"]
            lines += definitions(commands.map { ($0.name, $0.summary) }, column: column)
        }
        lines += ["", "Global options:"]
        lines += definitions(GlobalOptions.all.map(definition))
        lines += ["", "Run `\(program) help COMMAND` for more about a command."]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns help for one command.
    package func page(of command: CommandDeclaration) -> String {
        var lines = wrapped("\(command.name): \(command.summary)", indentation: 0)
        lines += ["", "Usage: \(command.usage(of: program))"]
        for paragraph in command.discussion { lines += [""] + wrapped(paragraph, indentation: 0) }
        if !command.arguments.isEmpty {
            lines += ["", "Arguments:"] + definitions(command.arguments.map { ($0.name, $0.summary) })
        }
        if !command.options.isEmpty {
            lines += ["", "Options:"] + definitions(command.options.map(definition))
        }
        if !command.examples.isEmpty {
            lines += ["", "Examples:"] + command.examples.map { "  \(program) \($0)" }
        }
        lines += ["", "Global options:"] + definitions(GlobalOptions.all.map(definition))
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns help for the commands that begin with `word`.
    package func group(_ word: String) -> String {
        let group = commands.filter { $0.path.first == word }
        let lines =
            ["Usage: \(program) \(word) COMMAND [OPTIONS]", "", "Commands:"]
            + definitions(group.map { ($0.name, $0.summary) })
            + ["", "Run `\(program) help \(word) COMMAND` for more about a command."]
        return lines.joined(separator: "\n") + "\n"
    }

    private func definition(_ option: OptionDeclaration) -> (String, String) {
        let letter = option.letter.map { "-\($0), " } ?? ""
        let byDefault = option.defaultText.map { " (default: \($0))" } ?? ""
        return (letter + option.spelling, option.summary + byDefault)
    }

    /// Returns the column of the meanings of `terms`.
    private func column(of terms: [String]) -> Int { min(30, (terms.map(\.count).max() ?? 0) + 4) }

    private func definitions(_ rows: [(term: String, meaning: String)], column: Int? = nil) -> [String] {
        let column = column ?? self.column(of: rows.map(\.term))
        return rows.flatMap { term, meaning -> [String] in
            let meaningLines = wrapped(meaning, indentation: column)
            guard term.count + 4 <= column, let first = meaningLines.first else { return ["  " + term] + meaningLines }
            let head = "  " + term
            let space = String(repeating: " ", count: column - head.count)
            return [head + space + first.dropFirst(column)] + meaningLines.dropFirst()
        }
    }

    private func wrapped(_ text: String, indentation: Int) -> [String] {
        let space = String(repeating: " ", count: indentation)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indentation + line.count + 1 + word.count > width {
                lines.append(space + line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return lines + [space + line]
    }
}

/// Help as JSON: `commands` and `globalOptions`.
private enum HelpJSON {
    static func value(_ commands: [CommandDeclaration], program: String) -> JSONValue {
        [
            "commands": commands.map { command($0, program) },
            "globalOptions": GlobalOptions.all.map(option),
        ]
    }

    private static func command(_ command: CommandDeclaration, _ program: String) -> JSONValue {
        [
            "name": command.name, "group": command.group, "summary": command.summary,
            "usage": command.usage(of: program),
            "discussion": command.discussion,
            "arguments": command.arguments.map(argument), "options": command.options.map(option),
            "examples": command.examples.map { "\(program) \($0)" },
        ]
    }

    private static func argument(_ argument: ArgumentDeclaration) -> JSONValue {
        [
            "name": argument.name, "summary": argument.summary,
            "optional": argument.isOptional, "repeats": argument.repeats,
        ]
    }

    private static func option(_ option: OptionDeclaration) -> JSONValue {
        [
            "name": option.name, "letter": option.letter.map(String.init),
            "value": option.valueName, "repeats": option.repeats,
            "summary": option.summary, "default": option.defaultText,
        ]
    }
}

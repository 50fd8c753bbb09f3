package import HealthSyncDomain

/// Parses the words of a command line into a command with options and arguments.
///
/// Accepts `--name value`, `--name=value`, and `-n` for options with a letter; `--` ends the options. Options may be
/// anywhere, before or after the command. Every error names the word and suggests a correction.
package struct CommandLineParser: Sendable {
    private let commands: [CommandDeclaration]
    private let globals: [OptionDeclaration]

    /// Creates a parser for these commands.
    package init(commands: [CommandDeclaration], globals: [OptionDeclaration] = GlobalOptions.all) {
        self.commands = commands
        self.globals = globals
    }

    /// Parses `words`, the command line without the program's name.
    ///
    /// With `--help` or `--version`, missing or excess arguments are not errors.
    package func parse(_ words: [String]) throws(SyncFailure) -> ParsedCommand {
        let words = Self.withCurrentNames(words)
        let declaration = try command(in: words)
        // A command's own option replaces the global option of the same name.
        let own = declaration?.options ?? []
        let others = globals.filter { global in !own.contains { $0.name == global.name } }
        var reader = ArgumentReader(command: declaration, options: others + own, allOptions: allOptions)
        try reader.read(words)
        var parsed = reader.parsed
        parsed.uses = declaration?.uses
        if let declaration, !parsed.has("help"), !parsed.has("version") {
            try check(parsed, against: declaration)
        }
        return parsed
    }

    /// Former names of options, which stay valid.
    private static let formerNames = ["colour": "color"]

    private static func withCurrentNames(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        return words[..<end].map { word in
            for (former, current) in formerNames where word == "--\(former)" || word.hasPrefix("--\(former)=") {
                return "--\(current)" + word.dropFirst(2 + former.count)
            }
            return word
        } + words[end...]
    }

    /// Returns the command that `path` names, for help. Throws `.usage` for an unknown command.
    package func command(named path: [String]) throws(SyncFailure) -> CommandDeclaration {
        if let found = commands.first(where: { $0.path == path }) { return found }
        throw unknown(path)
    }

    private var allOptions: [OptionDeclaration] { globals + commands.flatMap(\.options) }

    /// Returns the command that the first words name, not counting options and their values.
    private func command(in words: [String]) throws(SyncFailure) -> CommandDeclaration? {
        let path = pathWords(words)
        guard let first = path.first else { return nil }
        let group = commands.filter { $0.path.first == first }
        // `import inbox` is another command than `import`, whose arguments are files.
        if let found = group.first(where: { $0.path.count == 2 && $0.path == Array(path.prefix(2)) }) { return found }
        if let single = group.first(where: { $0.path.count == 1 }) { return single }
        if group.isEmpty { throw unknown([first]) }
        if path.count < 2 {
            if words.contains("--help") || words.contains("-h") { return nil }
            let names = group.map { $0.path.dropFirst().joined(separator: " ") }
            throw .usage(
                first, "incomplete command",
                advice: "add one of \(names.joined(separator: ", ")); see `healthsync help \(first)`")
        }
        throw unknown(Array(path.prefix(2)))
    }

    /// Returns the first word that is no option, if no command begins with it.
    package func strangeWord(in words: [String]) -> String? {
        pathWords(words).first.flatMap { word in commands.contains { $0.path.first == word } ? nil : word }
    }

    private func pathWords(_ words: [String]) -> [String] {
        var path: [String] = []
        var isValue = false
        for word in words {
            if isValue {
                isValue = false
            } else if word == "--" {
                break
            } else if word.hasPrefix("--") {
                isValue = !word.contains("=") && allOptions.contains { "--\($0.name)" == word && $0.valueName != nil }
            } else if !word.hasPrefix("-") {
                path.append(word)
            }
        }
        return path
    }

    private func check(_ parsed: ParsedCommand, against declaration: CommandDeclaration) throws(SyncFailure) {
        let needed = declaration.arguments.filter { !$0.isOptional }.count
        if parsed.arguments.count < needed {
            let missing = declaration.arguments[parsed.arguments.count]
            throw .usage(
                declaration.name, "missing \(missing.name)",
                advice: "usage: \(declaration.usage(of: ProgramName.standard))")
        }
        let repeats = declaration.arguments.last?.repeats ?? false
        if !repeats, parsed.arguments.count > declaration.arguments.count {
            let quotes = declaration.arguments.isEmpty ? "" : "; put a value of several words in quotes"
            throw .usage(
                declaration.name, "unexpected argument \"\(parsed.arguments[declaration.arguments.count])\"",
                advice: "usage: \(declaration.usage(of: ProgramName.standard))\(quotes)")
        }
    }

    /// What similar programs call these commands.
    private static let otherPrograms = [
        "sync": "daily", "update": "daily", "run": "daily", "upload": "push", "send": "push", "deliver": "push",
        "load": "import", "read": "import", "add": "import", "setup": "init", "config": "init", "configure": "init",
        "show": "summary", "today": "summary", "web": "dashboard", "server": "serve", "check": "doctor",
    ]

    private func unknown(_ path: [String]) -> SyncFailure {
        let word = path[path.count - 1]
        let before = Array(path.dropLast())
        let candidates = commands.filter { Array($0.path.prefix(before.count)) == before }
            .compactMap { $0.path.dropFirst(before.count).first }
        let suggestion = Suggestion.nearest(to: word, among: candidates)
            .map { (before + [$0]).joined(separator: " ") }
        let meant = before.isEmpty ? Self.otherPrograms[word.lowercased()] ?? suggestion : suggestion
        return .usage(
            path.joined(separator: " "), "no such command",
            advice: meant.map { "did you mean `\($0)`?" } ?? "see `healthsync help`")
    }
}

/// Reads the words of a command line from first to last.
private struct ArgumentReader {
    private let command: CommandDeclaration?
    private let options: [OptionDeclaration]
    private let allOptions: [OptionDeclaration]
    private var waiting: OptionDeclaration?
    private var pathLeft: ArraySlice<String>
    private(set) var parsed = ParsedCommand()

    /// Creates a reader that accepts `options` for `command`. `allOptions` includes those of other commands, for advice.
    init(command: CommandDeclaration?, options: [OptionDeclaration], allOptions: [OptionDeclaration]) {
        self.command = command
        self.options = options
        self.allOptions = allOptions
        parsed.path = command?.path ?? []
        pathLeft = parsed.path[...]
    }

    /// Reads `words`.
    mutating func read(_ words: [String]) throws(SyncFailure) {
        var optionsEnded = false
        for word in words {
            if let option = waiting, option.isValueOptional, word.hasPrefix("-") {
                waiting = nil
                try take("", for: option)
            }
            if let option = waiting {
                // A word that looks like an option usually means that the value is missing.
                guard !word.hasPrefix("--") else { throw Self.missingValue(option) }
                waiting = nil
                try take(word, for: option)
            } else if optionsEnded || word == "-" || !word.hasPrefix("-") {
                take(word, isLiteral: optionsEnded)
            } else if word == "--" {
                optionsEnded = true
            } else if word.hasPrefix("--") {
                try takeLong(String(word.dropFirst(2)))
            } else {
                try takeLetters(word)
            }
        }
        if let option = waiting {
            guard option.isValueOptional else { throw Self.missingValue(option) }
            try take("", for: option)
        }
    }

    private mutating func take(_ word: String, isLiteral: Bool) {
        if !isLiteral, word == pathLeft.first { pathLeft.removeFirst() } else { parsed.arguments.append(word) }
    }

    private mutating func takeLong(_ text: String) throws(SyncFailure) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0]
        guard let option = options.first(where: { $0.name == name }) else { throw unknown(name) }
        if option.valueName == nil {
            guard parts.count == 1 else {
                throw .usage("--\(name)", "takes no value", advice: "write --\(name) alone")
            }
            try take("", for: option)
        } else if parts.count == 2 {
            try take(parts[1], for: option)
        } else {
            waiting = option
        }
    }

    private mutating func takeLetters(_ word: String) throws(SyncFailure) {
        for letter in word.dropFirst() {
            guard let option = options.first(where: { $0.letter == letter }) else {
                throw .usage(
                    word, "no such option", advice: "long options begin with two dashes; see `\(helpCommand)`")
            }
            try take("", for: option)
        }
    }

    private mutating func take(_ value: String, for option: OptionDeclaration) throws(SyncFailure) {
        if option.valueName != nil, value.isEmpty, !option.isValueOptional {
            throw .usage("--\(option.name)", "empty value", advice: "write \(option.spelling)")
        }
        if !option.repeats, option.valueName != nil, parsed.has(option.name) {
            throw .usage("--\(option.name)", "repeated option", advice: "give it once")
        }
        parsed.values[option.name, default: []].append(value)
    }

    private func unknown(_ name: String) -> SyncFailure {
        let suggestion = Suggestion.nearest(to: name, among: options.map(\.name)).map { "did you mean --\($0)?" }
        if let command, allOptions.contains(where: { $0.name == name }) {
            return .usage(
                "--\(name)", "not an option of `\(command.name)`", advice: suggestion ?? "see `\(helpCommand)`")
        }
        if ["token", "password", "key"].contains(name) {
            return .usage(
                "--\(name)", "no such option, because other users can see command lines",
                advice: "use --token-file or the variable HEALTHSYNC_TOKEN")
        }
        return .usage("--\(name)", "no such option", advice: suggestion ?? "see `\(helpCommand)`")
    }

    private var helpCommand: String { (["healthsync", "help"] + parsed.path).joined(separator: " ") }

    private static func missingValue(_ option: OptionDeclaration) -> SyncFailure {
        .usage(
            "--\(option.name)", "missing value",
            advice: "write \(option.spelling), or --\(option.name)=VALUE for a value that begins with dashes")
    }
}

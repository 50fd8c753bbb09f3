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

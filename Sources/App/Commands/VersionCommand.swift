/// `healthsync version`
enum VersionCommand: Command {
    static let declaration = CommandDeclaration("version", "Show the version", discussion: ["The same as --version."])

    static func run(in context: CommandContext) async throws -> ExitStatus { show(in: context) }

    static func show(in context: CommandContext) -> ExitStatus {
        let version = context.environment.version
        context.show(text: ["healthsync \(version)"], json: ["version": version])
        return .done
    }
}

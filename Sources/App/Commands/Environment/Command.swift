/// A command, in one file each.
protocol Command: Sendable {
    static var declaration: CommandDeclaration { get }
    /// Runs the command. Shows results through `context` and throws failures as `SyncFailure`.
    static func run(in context: CommandContext) async throws -> ExitStatus
}

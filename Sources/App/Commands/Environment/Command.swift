/// One command: what it is called, and what it does. One file each.
protocol Command: Sendable {
    static var declaration: CommandDeclaration { get }
    /// Does it. Failures are thrown as `SyncFailure`; results go to the context.
    static func run(in context: CommandContext) async throws -> ExitStatus
}

import HealthSyncDomain
import HealthSyncEngine

/// `healthsync shoes archive`
enum ShoesArchiveCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes archive", "Archive a pair of shoes and keep its sessions and totals",
        arguments: [ShoeChoice.argument], examples: ["shoes archive speedcross 6"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        try await context.change("archived") { .archive($0.id) }
    }
}

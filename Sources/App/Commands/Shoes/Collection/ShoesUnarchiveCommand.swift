import HealthSyncDomain
import HealthSyncEngine

/// `healthsync shoes unarchive`
enum ShoesUnarchiveCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes unarchive", "Restore an archived pair of shoes",
        arguments: [ShoeChoice.argument], examples: ["shoes unarchive speedcross 6"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        try await context.change("restored") { .unarchive($0.id) }
    }
}

import HealthSyncDomain
import HealthSyncEngine

/// `healthsync shoes unarchive`
enum ShoesUnarchiveCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes unarchive", "Bring back a pair of shoes that was put away",
        arguments: [ShoeChoice.argument], examples: ["shoes unarchive speedcross 6"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        try await context.change("brought back") { engine, shoe in try await engine.unarchiveShoe(shoe.id) }
    }
}

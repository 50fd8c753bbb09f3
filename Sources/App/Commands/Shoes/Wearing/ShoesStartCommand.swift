import HealthSyncDomain
import HealthSyncEngine

/// `healthsync shoes start`
enum ShoesStartCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes start", "Start a session now and end the current one",
        arguments: [ShoeChoice.optionalArgument], examples: ["shoes start", "shoes start speedcross 6"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        try await context.switchShoes { .start($0) }
    }
}

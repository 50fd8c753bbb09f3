import HealthSyncDomain
import HealthSyncEngine

/// `healthsync shoes start`
enum ShoesStartCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes start", "Put shoes on, now; what was worn until now is taken off",
        arguments: [ShoeChoice.optionalArgument], examples: ["shoes start", "shoes start speedcross 6"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        try await context.switchShoes { engine, shoe in try await engine.startShoe(shoe?.id) }
    }
}

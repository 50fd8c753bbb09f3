import HealthSyncDomain
import HealthSyncEngine

/// `healthsync shoes toggle`
enum ShoesToggleCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes toggle", "Take shoes off if they are worn, else put them on",
        discussion: ["Without SHOE it takes off whatever is worn, or puts the default pair on."],
        arguments: [ShoeChoice.optionalArgument], examples: ["shoes toggle", "shoes toggle speedcross 6"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        try await context.switchShoes { engine, shoe in try await engine.toggleShoe(shoe?.id) }
    }
}

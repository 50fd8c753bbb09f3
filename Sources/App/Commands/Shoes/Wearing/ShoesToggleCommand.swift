import HealthSyncDomain
import HealthSyncEngine

/// `healthsync shoes toggle`
enum ShoesToggleCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes toggle", "End the current session of a pair of shoes, or start one",
        discussion: ["Without SHOE ends any current session, or starts one of the default shoes."],
        arguments: [ShoeChoice.optionalArgument], examples: ["shoes toggle", "shoes toggle speedcross 6"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        try await context.switchShoes { .toggle($0) }
    }
}

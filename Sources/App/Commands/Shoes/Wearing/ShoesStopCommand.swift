import HealthSyncDomain
import HealthSyncEngine

/// `healthsync shoes stop`
enum ShoesStopCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes stop", "End the current session now", examples: ["shoes stop"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        try await context.switchShoes { _ in .stop }
    }
}

import HealthSyncDomain
import HealthSyncPorts

/// `healthsync pause`
enum PauseCommand: Command {
    static let declaration = CommandDeclaration(
        "pause", "Pause delivery until `resume`, also for a run in progress",
        discussion: [
            "A run in progress completes the requests in flight and exits with status 3. Later runs import and derive as "
                + "usual but send nothing, and report the pause. The outbox keeps all waiting records."
        ], examples: ["pause"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.settings()
        try context.environment.factory.deliveryPause(settings).set()
        context.show(
            text: ["delivery is paused; run `healthsync resume` to continue"],
            json: ["paused": true, "held": true])
        return .done
    }
}

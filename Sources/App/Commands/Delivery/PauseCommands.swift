import HealthSyncDomain
import HealthSyncEngine
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

/// `healthsync resume`
enum ResumeCommand: Command {
    static let declaration = CommandDeclaration(
        "resume", "End a pause and send the waiting records",
        discussion: [
            "Sends only the intervals and records that the server does not have yet. Needs no sources, because the database "
                + "contains everything to be sent. Without a configured server only ends the pause."
        ], options: PushCommand.options, examples: ["resume", "resume --concurrency 1"], uses: [.server])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.settings()
        _ = try DeliveryDeadline.seconds(context.parsed)
        let wasPaused = try context.environment.factory.deliveryPause(settings).clear()
        if !wasPaused { context.warn("delivery was not paused") }
        guard settings.server != nil else {
            context.show(
                text: ["delivery is no longer paused; no server is configured"],
                json: ["paused": false, "held": false])
            return .done
        }
        return try await PushCommand.push(settings, as: .resume, in: context)
    }
}

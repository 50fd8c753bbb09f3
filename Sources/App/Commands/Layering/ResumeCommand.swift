import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync resume`
enum ResumeCommand: Command {
    static let declaration = CommandDeclaration(
        "resume", "End a pause and send the waiting records",
        discussion: [
            "Sends only the intervals and records that the server does not have yet. Needs no sources, because the database "
                + "contains everything to be sent."
        ], options: PushCommand.options, examples: ["resume", "resume --concurrency 1"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.settings()
        guard settings.server != nil else { throw SyncFailure.noServer }
        _ = try DeliveryDeadline.seconds(context.parsed)
        let wasPaused = try context.environment.factory.deliveryPause(settings).clear()
        if !wasPaused { context.warn("delivery was not paused") }
        return try await PushCommand.push(settings, as: .resume, in: context)
    }
}

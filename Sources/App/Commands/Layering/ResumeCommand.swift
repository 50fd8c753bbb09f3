import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync resume`
enum ResumeCommand: Command {
    static let declaration = CommandDeclaration(
        "resume", "End a pause and go on sending what is left",
        discussion: [
            "Goes on with exactly the intervals and records that the server does not have yet. The sources are not "
                + "needed: everything that is sent is in the database."
        ], options: PushCommand.options, examples: ["resume", "resume --concurrency 1"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try context.settings()
        guard settings.server != nil else { throw SyncFailure.noServer }
        _ = try DeliveryDeadline.seconds(context.parsed)
        let wasHeld = try context.environment.factory.deliveryHold(settings).clear()
        if !wasHeld { context.warn("deliveries were not held") }
        return try await PushCommand.push(settings, as: .resume, in: context)
    }
}

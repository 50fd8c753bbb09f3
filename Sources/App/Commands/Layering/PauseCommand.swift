import HealthSyncDomain
import HealthSyncPorts

/// `healthsync pause`
enum PauseCommand: Command {
    static let declaration = CommandDeclaration(
        "pause", "Send nothing until `resume`, not even by a run that is at work",
        discussion: [
            "A run that is at work finishes the requests in flight, settles them and ends with status 3. Later runs read "
                + "and derive as ever, send nothing, and say so. What waits is kept, whatever happens in between."
        ], examples: ["pause"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try context.settings()
        try context.environment.factory.deliveryHold(settings).set()
        context.show(
            text: ["deliveries are held; `healthsync resume` goes on with what is left"], json: ["held": .bool(true)])
        return .done
    }
}

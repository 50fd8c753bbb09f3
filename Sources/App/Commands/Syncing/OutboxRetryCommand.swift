import HealthSyncDomain
import HealthSyncEngine

/// `healthsync outbox retry`
enum OutboxRetryCommand: Command {
    static let declaration = CommandDeclaration(
        "outbox retry", "Send rejected items again",
        discussion: [
            "Sends them at once, with all that is queued, as `push` does. Without a configured server they wait for the "
                + "next delivery."
        ],
        arguments: OutboxSelection.arguments, options: OutboxSelection.options + PushCommand.options,
        examples: ["outbox retry 12 15", "outbox retry --all"], uses: [.server])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.settings()
        _ = try DeliveryDeadline.seconds(context.parsed)
        let count = try await OutboxSelection.change(in: context) { try await $0.retry(ids: $1) }
        if settings.server != nil {
            return try await PushCommand.push(settings, as: .push, retried: count, in: context)
        }
        let verb = count == 1 ? "waits" : "wait"
        context.show(
            text: ["\(Figures.count(count, "item")) \(verb) for the next delivery"], json: ["retried": count])
        return .done
    }
}

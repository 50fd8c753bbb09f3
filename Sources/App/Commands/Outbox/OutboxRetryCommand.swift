import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync outbox retry`
enum OutboxRetryCommand: Command {
    static let declaration = CommandDeclaration(
        "outbox retry", "Send refused items again",
        arguments: OutboxSelection.arguments, options: OutboxSelection.options,
        examples: ["outbox retry 12 15", "outbox retry --all"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try context.settings()
        let ids = try OutboxSelection.ids(context.parsed)
        let count = try await context.withEngine(.writing, settings: settings) { engine in
            try await OutboxSelection.check(ids, in: engine)
            return try await engine.ports.outbox.retry(ids: ids)
        }
        let verb = count == 1 ? "waits" : "wait"
        context.show(
            text: ["\(Figures.count(count, "item")) \(verb) to be sent again"], json: ["retried": .count(count)])
        return .done
    }
}

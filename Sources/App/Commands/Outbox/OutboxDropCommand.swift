import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync outbox drop`
enum OutboxDropCommand: Command {
    static let declaration = CommandDeclaration(
        "outbox drop", "Remove refused items for good",
        arguments: OutboxSelection.arguments, options: OutboxSelection.options,
        examples: ["outbox drop 12 15", "outbox drop --all"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try context.settings()
        let ids = try OutboxSelection.ids(context.parsed)
        let count = try await context.withEngine(.writing, settings: settings) { engine in
            try await OutboxSelection.check(ids, in: engine)
            return try await engine.ports.outbox.drop(ids: ids)
        }
        context.show(
            text: ["\(Figures.count(count, "item")) removed"],
            json: ["dropped": .count(count)])
        return .done
    }
}

import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync outbox show`
enum OutboxShowCommand: Command {
    static let declaration = CommandDeclaration(
        "outbox show", "Show one item of the outbox with its payload",
        arguments: [ArgumentDeclaration("ID", "The id of the item, from `outbox list`")], examples: ["outbox show 12"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let id = try OutboxSelection.id(context.parsed.arguments[0])
        let item = try await context.withEngine(.reading, settings: settings) { engine in
            try await engine.outbox.item(id: id)
        }
        guard let item else { throw OutboxSelection.noItem(id) }
        let view = OutboxItemView(item: item, clock: settings.clock)
        context.show(charts: view.lines(context.style), json: view.fullJSON)
        return .done
    }
}

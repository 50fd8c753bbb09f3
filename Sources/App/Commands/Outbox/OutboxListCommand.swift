import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync outbox list`
enum OutboxListCommand: Command {
    static let declaration = CommandDeclaration(
        "outbox list", "List waiting and rejected items",
        discussion: ["Lists the items for all servers, or with --server those for one."],
        options: [
            .value(
                "state", "STATE", "List only items in this state: waiting, in-flight, rejected or delivered",
                default: "all but delivered"),
            .value("limit", "N", "List at most this many of each state", default: "100"),
        ], examples: ["outbox list --state rejected", "outbox list --state delivered --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let states = try Self.states(context.parsed.text("state"))
        let limit = try context.parsed.integer("limit", in: 1...1_000_000) ?? 100
        let isOneServer = context.parsed.has("server")
        let (items, counts) = try await context.withEngine(.reading, settings: settings) { engine in
            let server = isOneServer ? try await engine.outbox.servers().configured : nil
            return (
                try await engine.outbox.list(in: states, destination: server, limit: limit),
                try await engine.outbox.counts(destination: server)
            )
        }
        let views = items.sorted { $0.id < $1.id }.map { OutboxItemView(item: $0, clock: settings.clock) }
        var table = TextTable(heads: OutboxItemView.heads)
        for view in views { view.addRow(to: &table) }
        let remainders = states.flatMap { state in
            let (shown, all) = (items.count { $0.state == state }, counts[state] ?? 0)
            let text =
                "\(Figures.grouped(shown)) of \(Figures.grouped(all)) \(OutboxItemView.word(for: state)) items; "
                + "list more with --limit"
            return shown < all ? context.style.wrapped(text) : []
        }
        context.show(
            charts: views.isEmpty
                ? ["the outbox is empty"]
                : table.lines(fitting: context.style) + (remainders.isEmpty ? [] : [""] + remainders),
            json: ["items": views])
        return .done
    }

    private static func states(_ text: String?) throws(SyncFailure) -> [DeliveryState] {
        guard let text else { return [.pending, .leased, .dead] }
        // The names in JSON documents are accepted too.
        let words: [String: DeliveryState] = ["waiting": .pending, "in-flight": .leased, "rejected": .dead]
        guard let state = words[text] ?? DeliveryState(rawValue: text) else {
            throw .usage(
                "--state", "unknown state \"\(text)\"",
                advice: "use one of waiting, in-flight, rejected, delivered")
        }
        return [state]
    }
}

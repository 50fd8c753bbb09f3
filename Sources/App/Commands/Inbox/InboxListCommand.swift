import HealthSyncDomain
import HealthSyncPorts

/// `healthsync inbox list`
enum InboxListCommand: Command {
    static let declaration = CommandDeclaration(
        "inbox list", "List the posts of phone apps, the latest first",
        options: [
            .value("state", "STATE", "List only posts in this state: waiting, decoded or undecoded", default: "all"),
            .value("limit", "N", "List at most this many", default: "50"),
        ], examples: ["inbox list --state undecoded"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let limit = try context.parsed.integer("limit", in: 1...1_000_000) ?? 50
        let state = try state(context.parsed.text("state"))
        let settings = try await context.settings()
        let archive = context.environment.factory.inbox.archive(settings)
        let counts = try await archive.counts()
        var entries = try await archive.entries(limit: state == nil ? limit : .max)
        if let state { entries = Array(entries.filter { $0.state == state }.prefix(limit)) }
        var table = TextTable(heads: InboxEntryView.heads)
        for entry in entries { InboxEntryView(entry: entry, clock: settings.clock).addRow(to: &table) }
        for damage in entries.compactMap(\.damage) { context.warn(FailureText.of(damage)) }
        let totals = InboxEntry.State.allCases.map { "\(counts[$0] ?? 0) \($0.rawValue)" }.joined(separator: ", ")
        context.show(
            charts: entries.isEmpty ? ["no posts; \(totals)"] : table.lines(fitting: context.style) + ["", totals],
            json: [
                "posts": entries.map { InboxEntryView(entry: $0, clock: settings.clock) },
                "waiting": counts[.waiting] ?? 0, "decoded": counts[.decoded] ?? 0,
                "undecoded": counts[.undecoded] ?? 0,
            ])
        return .done
    }

    private static func state(_ text: String?) throws(SyncFailure) -> InboxEntry.State? {
        guard let text else { return nil }
        guard let state = InboxEntry.State(rawValue: text) else {
            throw .usage(
                "--state", "unknown state \"\(text)\"",
                advice: "use one of \(InboxEntry.State.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return state
    }
}

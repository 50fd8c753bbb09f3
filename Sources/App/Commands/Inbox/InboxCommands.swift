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

/// `healthsync inbox show`
enum InboxShowCommand: Command {
    static let declaration = CommandDeclaration(
        "inbox show", "Show what became of a post, without its health values",
        arguments: [ArgumentDeclaration("ID", "The id of the post, from `inbox list`")],
        examples: ["inbox show 20261122T221839123-0000-1f3a"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        guard context.parsed.arguments.count == 1, let id = context.parsed.arguments.first else {
            throw SyncFailure.usage("inbox show", "requires exactly one id", advice: "see `healthsync inbox list`")
        }
        let settings = try await context.settings()
        let archive = context.environment.factory.inbox.archive(settings)
        let entry = try await archive.entry(id)
        if let damage = entry.damage { throw damage }
        let view = InboxEntryView(entry: entry, clock: settings.clock)
        context.show(text: view.lines, json: view.json)
        return .done
    }
}

/// `healthsync inbox retry`
enum InboxRetryCommand: Command {
    static let declaration = CommandDeclaration(
        "inbox retry", "Decode posts again",
        discussion: [
            "For posts that could not be decoded, after an upgrade. Decoding a post twice stores nothing twice."
        ],
        arguments: [
            ArgumentDeclaration("ID", "The posts; without it all undecoded ones", isOptional: true, repeats: true)
        ],
        examples: ["inbox retry", "inbox retry 20261122T221839123-0000-1f3a"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let archive = context.environment.factory.inbox.archive(try await context.settings())
        var ids = context.parsed.arguments
        if ids.isEmpty {
            ids = try await archive.entries(limit: .max).filter { $0.state == .undecoded }.map(\.id)
        }
        for id in ids { try await archive.retry(id) }
        let verb = ids.count == 1 ? "waits" : "wait"
        context.show(
            text: ["\(Figures.count(ids.count, "post")) \(verb) to be decoded"], json: ["retried": ids.count])
        return .done
    }
}

/// A post in the inbox. Shows nothing of its body, and no values of its path and query, which may be health values.
private struct InboxEntryView: JSONEncodable {
    let entry: InboxEntry
    let clock: DayClock

    static let heads: [(String, TextTable.Alignment)] = [
        ("id", .left), ("received", .left), ("device", .left), ("sender", .left), ("bytes", .right), ("state", .left),
        ("reason", .left),
    ]

    func addRow(to table: inout TextTable) {
        table.add(
            [
                entry.id, Figures.wallClock(entry.head.receivedAt, clock), device ?? "-",
                entry.outcome?.sender ?? "-", Figures.grouped(Int(entry.bytes)), entry.state.rawValue,
                reason ?? "-",
            ], colors: entry.state == .undecoded || entry.damage != nil ? [5: .warn] : [:])
    }

    /// The lines of `inbox show`.
    var lines: [String] {
        var table = TextTable([.left, .left])
        table.add("id", entry.id)
        table.add("received", Figures.wallClock(entry.head.receivedAt, clock))
        table.add("device", entry.head.device)
        table.add("request", "\(entry.head.method), \(Figures.count(entry.head.path.count, "path segment"))")
        table.add("headers", headerNames.isEmpty ? "-" : headerNames.joined(separator: ", "))
        table.add("content type", entry.head.header("content-type") ?? "-")
        table.add("bytes", Figures.grouped(Int(entry.bytes)))
        table.add("state", entry.state.rawValue)
        if let outcome = entry.outcome {
            table.add("sender", outcome.sender ?? "not recognized")
            table.add("reason", outcome.reason ?? "-")
            table.add("samples", String(outcome.records))
            table.add("rejected", String(outcome.rejected))
            table.add("deletions", String(outcome.deletions))
            table.add("decoded", Figures.wallClock(outcome.decodedAt, clock))
        }
        return table.lines()
    }

    private var device: String? { entry.damage == nil ? entry.head.device : nil }
    private var reason: String? { entry.damage?.reason ?? entry.outcome?.reason }

    private var headerNames: [String] { Set(entry.head.headers.map(\.name)).sorted() }

    var json: JSONValue {
        [
            "id": entry.id, "received": entry.head.receivedAt,
            "device": device, "sender": entry.outcome?.sender,
            "bytes": entry.bytes, "state": entry.state.rawValue,
            "reason": reason, "advice": entry.damage?.advice,
            "samples": entry.outcome?.records, "records": entry.outcome?.records,
            "rejected": entry.outcome?.rejected,
            "deletions": entry.outcome?.deletions,
            "decoded": entry.outcome?.decodedAt,
            "method": entry.damage == nil ? entry.head.method : nil, "headers": headerNames,
        ]
    }
}

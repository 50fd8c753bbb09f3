import HealthSyncDomain
import HealthSyncPorts

/// A post in the inbox. Shows nothing of its body, and no values of its path and query, which may be health values.
struct InboxEntryView {
    let entry: InboxEntry

    static let heads: [(String, TextTable.Alignment)] = [
        ("id", .left), ("received", .left), ("device", .left), ("sender", .left), ("bytes", .right), ("state", .left),
        ("reason", .left),
    ]

    func addRow(to table: inout TextTable) {
        table.add(
            entry.id, RFC3339.string(entry.head.receivedAt), entry.head.device, entry.outcome?.sender ?? "-",
            String(entry.bytes), entry.state.rawValue, entry.outcome?.reason ?? "-")
    }

    /// The lines of `inbox show`.
    var lines: [String] {
        var table = TextTable([.left, .left])
        table.add("id", entry.id)
        table.add("received", RFC3339.string(entry.head.receivedAt))
        table.add("device", entry.head.device)
        table.add("request", "\(entry.head.method), \(Figures.count(entry.head.path.count, "path segment"))")
        table.add("headers", headerNames.isEmpty ? "-" : headerNames.joined(separator: ", "))
        table.add("content type", entry.head.header("content-type") ?? "-")
        table.add("bytes", String(entry.bytes))
        table.add("state", entry.state.rawValue)
        if let outcome = entry.outcome {
            table.add("sender", outcome.sender ?? "not recognized")
            table.add("reason", outcome.reason ?? "-")
            table.add("records", String(outcome.records))
            table.add("rejected", String(outcome.rejected))
            table.add("deletions", String(outcome.deletions))
            table.add("decoded", RFC3339.string(outcome.decodedAt))
        }
        return table.lines()
    }

    private var headerNames: [String] { Set(entry.head.headers.map(\.name)).sorted() }

    var json: JSONValue {
        [
            "id": .string(entry.id), "received": .string(RFC3339.string(entry.head.receivedAt)),
            "device": .string(entry.head.device), "sender": .optional(entry.outcome?.sender),
            "bytes": .integer(entry.bytes), "state": .string(entry.state.rawValue),
            "reason": .optional(entry.outcome?.reason),
            "records": entry.outcome.map { .count($0.records) } ?? .null,
            "rejected": entry.outcome.map { .count($0.rejected) } ?? .null,
            "deletions": entry.outcome.map { .count($0.deletions) } ?? .null,
            "decoded": .optional(entry.outcome.map { RFC3339.string($0.decodedAt) }),
            "method": .string(entry.head.method), "headers": .array(headerNames.map { .string($0) }),
        ]
    }
}

import HealthSyncDomain
import HealthSyncPorts

/// A post in the inbox. Shows nothing of its body, and no values of its path and query, which may be health values.
struct InboxEntryView: JSONEncodable {
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

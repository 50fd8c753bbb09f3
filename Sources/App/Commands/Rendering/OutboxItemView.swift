import HealthSyncDomain

/// An item of the outbox.
struct OutboxItemView: JSONEncodable {
    let item: OutboxItem
    let clock: DayClock

    static let heads: [(String, TextTable.Alignment)] = [
        ("id", .right), ("state", .left), ("kind", .left), ("record", .left), ("attempts", .right), ("changed", .left),
        ("reason", .left),
    ]

    func addRow(to table: inout TextTable) {
        let reason = [item.lastReason, item.lastStatus.map { "(\($0))" }].compactMap { $0 }
        table.add(
            [
                String(item.id), Self.word(for: item.state), kind, item.content.name,
                String(item.attempts), Figures.wallClock(item.updatedAt, clock), reason.joined(separator: " "),
            ], colors: item.state == .dead ? [1: .warn] : [:])
    }

    /// All fields, with the payload last.
    func lines(_ style: OutputStyle) -> [String] {
        let content = item.content
        var table = TextTable([.left, .left])
        table.add("id", String(item.id))
        table.add("state", Self.word(for: item.state))
        table.add("server", content.destination)
        table.add("kind", kind)
        table.add("record", content.dedupKey)
        if let slice = content.slice { table.add("samples", Figures.grouped(slice.count)) }
        table.add("revision", String(content.revision))
        table.add("attempts", String(item.attempts))
        if let status = item.lastStatus { table.add("status", String(status)) }
        if let reason = item.lastReason { table.add("reason", reason) }
        if let backendID = item.backendID { table.add("id on the server", backendID) }
        table.add("created", Figures.wallClock(item.createdAt, clock))
        table.add("changed", Figures.wallClock(item.updatedAt, clock))
        let payload = String(decoding: content.payload, as: UTF8.self)
        // The payload can be copied, so it is not wrapped.
        return table.lines(fitting: style) + (payload.isEmpty ? [] : ["", UntrustedText.escaped(payload)])
    }

    private var kind: String { item.content.kind.rawValue + (item.content.isTombstone ? " (deletion)" : "") }

    /// All fields except the payload.
    var json: JSONValue {
        let content = item.content
        return [
            "id": item.id, "deliveryState": Self.member(for: item.state), "state": item.state.rawValue,
            "server": content.destination, "kind": content.kind.rawValue,
            "record": content.dedupKey, "revision": content.revision, "tombstone": content.isTombstone,
            "samples": content.slice?.count, "attempts": item.attempts, "lastStatus": item.lastStatus,
            "lastReason": item.lastReason, "backendID": item.backendID, "createdAt": item.createdAt,
            "updatedAt": item.updatedAt,
        ]
    }

    /// All fields, including the payload as it is sent.
    var fullJSON: JSONValue { .joined(json, ["payload": String(decoding: item.content.payload, as: UTF8.self)]) }

    /// Returns the word for a state in JSON.
    static func member(for state: DeliveryState) -> String { state == .leased ? "inFlight" : word(for: state) }

    static func word(for state: DeliveryState) -> String {
        switch state {
        case .pending: "waiting"
        case .leased: "in flight"
        case .delivered: "delivered"
        case .dead: "rejected"
        }
    }
}

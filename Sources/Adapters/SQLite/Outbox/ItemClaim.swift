import HealthSyncDomain

/// A request to lease waiting items.
struct ItemClaim {
    var destination: String
    var kinds: [RecordKind]
    var limit: Int
    var byteLimit: Int
    var owner: String
    var now: Instant
    var leaseUntil: Instant

    /// Selects items that are next in their order: no older item with the same ordering key is pending or leased.
    private static let isNext = """
        state = 'pending' AND batch_id IS NULL AND NOT EXISTS (
            SELECT 1 FROM outbox_item AS earlier
            WHERE earlier.destination = outbox_item.destination AND earlier.ordering_key = outbox_item.ordering_key
                AND earlier.id < outbox_item.id AND earlier.state IN ('pending', 'leased'))
        """

    /// Leases the next items to the owner under a new fence.
    func run(over connection: SQLiteConnection) throws -> (items: [OutboxItem], fence: Int64) {
        try releaseAbandoned(over: connection)
        guard limit > 0, let head = try head(over: connection) else { return ([], 0) }
        let fence = try DestinationRows.nextFence(of: destination, over: connection)
        var list = JSONBytes(reserving: 512)
        list.array(try chosen(after: head, over: connection)) { json, id in json.number(id) }
        let items = try connection.rows(
            """
            UPDATE outbox_item SET state = 'leased', lease_owner = ?1, lease_until_ms = ?2, fence = ?3,
                updated_at_ms = ?4
            WHERE id IN (SELECT value FROM json_each(?5)) RETURNING \(OutboxRows.columns)
            """, owner, leaseUntil, fence, now, SQLiteValue.utf8(list.bytes)
        ) { try OutboxRows.item($0, path: connection.path) }
        return (items.sorted { $0.id < $1.id }, fence)
    }

    /// Returns the oldest items within the limits of records and bytes, and always the first one.
    private func chosen(
        after head: (id: Int64, kind: String, isTombstone: Bool), over connection: SQLiteConnection
    ) throws -> [Int64] {
        var ids: [Int64] = []
        var records = 0
        var bytes = 0
        try connection.forEach(
            """
            SELECT id, length(payload), max(1, samples) FROM outbox_item
            WHERE destination = ?1 AND kind = ?2 AND is_tombstone = ?3 AND \(Self.isNext) ORDER BY id
            """, destination, head.kind, head.isTombstone
        ) { row in
            let id = try row.integer()
            bytes += try row.int()
            records += try row.int()
            guard (bytes <= byteLimit && records <= limit) || ids.isEmpty else { return false }
            ids.append(id)
            return true
        }
        return ids
    }

    /// Makes items wait again whose sender claimed them and ended before it froze a batch.
    private func releaseAbandoned(over connection: SQLiteConnection) throws {
        try connection.execute(
            """
            UPDATE outbox_item SET state = 'pending', lease_owner = NULL, lease_until_ms = NULL, fence = NULL
            WHERE destination = ? AND state = 'leased' AND batch_id IS NULL AND lease_until_ms <= ?
            """, destination, now)
    }

    private func head(
        over connection: SQLiteConnection
    ) throws -> (id: Int64, kind: String, isTombstone: Bool)? {
        var names = JSONBytes(reserving: 64)
        names.array(kinds) { json, kind in json.string(kind.rawValue) }
        return try connection.first(
            """
            SELECT id, kind, is_tombstone FROM outbox_item
            WHERE destination = ? AND kind IN (SELECT value FROM json_each(?)) AND \(Self.isNext)
            ORDER BY id LIMIT 1
            """, destination, SQLiteValue.utf8(names.bytes)
        ) { row in (id: try row.integer(), kind: try row.text(), isTombstone: try row.bool()) }
    }
}

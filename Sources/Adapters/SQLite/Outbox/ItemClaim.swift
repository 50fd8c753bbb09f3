import HealthSyncDomain

/// Leasing of items that wait.
struct ItemClaim {
    var destination: String
    var kinds: [RecordKind]
    var limit: Int
    var byteLimit: Int
    var owner: String
    var now: Instant
    var leaseUntil: Instant

    /// An item whose turn has come: nothing older of its ordering key is still on its way.
    private static let isNext = """
        state = 'pending' AND batch_id IS NULL AND NOT EXISTS (
            SELECT 1 FROM outbox_item AS earlier
            WHERE earlier.destination = outbox_item.destination AND earlier.ordering_key = outbox_item.ordering_key
                AND earlier.id < outbox_item.id AND earlier.state IN ('pending', 'leased'))
        """

    /// Leases them to the owner under a new fence.
    func run(over connection: SQLiteConnection) throws -> (items: [OutboxItem], fence: Int64) {
        try releaseAbandoned(over: connection)
        guard limit > 0, let head = try head(over: connection) else { return ([], 0) }
        let fence = try DestinationRows.nextFence(of: destination, over: connection)
        // The bytes are counted over the oldest `limit` only; the head goes whatever its size.
        let items = try connection.rows(
            """
            UPDATE outbox_item SET state = 'leased', lease_owner = ?1, lease_until_ms = ?2, fence = ?3,
                updated_at_ms = ?4
            WHERE id IN (
                SELECT id FROM (
                    SELECT id, sum(bytes) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS total FROM (
                        SELECT id, length(payload) AS bytes FROM outbox_item
                        WHERE destination = ?5 AND kind = ?6 AND is_tombstone = ?7 AND \(Self.isNext)
                        ORDER BY id LIMIT ?8))
                WHERE total <= ?9 OR id = ?10)
            RETURNING \(OutboxRows.columns)
            """, owner, leaseUntil, fence, now, destination, head.kind, head.isTombstone, limit, byteLimit, head.id
        ) { try OutboxRows.item($0, path: connection.path) }
        return (items.sorted { $0.id < $1.id }, fence)
    }

    /// Items claimed by a sender that died before it froze them wait again.
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

import HealthSyncDomain

/// Rows of `outbox_item`.
enum OutboxRows {
    /// The columns that `item` reads.
    static let columns = """
        id, destination, kind, dedup_key, ordering_key, revision, is_tombstone, state, attempts, last_status,
        last_reason, NULL, created_at_ms, updated_at_ms, member_ids, payload, interval_start_ms, interval_s, samples
        """

    /// The columns that `item` reads, for a row of the ledger, which no longer contains the payload.
    static let ledgerColumns = """
        id, destination, kind, dedup_key, ordering_key, revision, is_tombstone, 'delivered', attempts, last_status,
        NULL, backend_id, settled_at_ms, settled_at_ms, '[]', x'', NULL, NULL, 0
        """

    /// Appends `items` to the outbox. An item whose key is already in the outbox or the ledger is skipped.
    ///
    /// - Returns: The number of new items.
    static func enqueue(_ items: [NewOutboxItem], now: Instant, over connection: SQLiteConnection) throws -> Int {
        var added = 0
        for item in items where try !isKnown(item, over: connection) {
            // Not INSERT … SELECT … WHERE NOT EXISTS: for it SQLite copies every page that it changes, to be able to undo
            // a part of its rows.
            try connection.execute(
                """
                INSERT INTO outbox_item (destination, kind, dedup_key, ordering_key, revision, is_tombstone, state,
                    created_at_ms, updated_at_ms, member_ids, payload, interval_start_ms, interval_s, samples)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'pending', ?7, ?7, ?8, ?9, ?10, ?11, ?12)
                """, item.destination, item.kind.rawValue, item.dedupKey, item.orderingKey, item.revision,
                item.isTombstone, now, SQLiteValue.utf8(MemberText.text(item.recordIDs)),
                SQLiteValue.blob(item.slice.map { PackedSampleIDs.bytes(of: $0.only) } ?? item.payload),
                item.slice?.interval.start, item.slice?.interval.seconds, item.slice?.count ?? 0)
            added += 1
        }
        return added
    }

    /// Whether the key of `item` is in the outbox or the ledger.
    private static func isKnown(_ item: NewOutboxItem, over connection: SQLiteConnection) throws -> Bool {
        try connection.first(
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM delivered WHERE destination = ?1 AND kind = ?2 AND dedup_key = ?3)
                OR EXISTS (SELECT 1 FROM outbox_item WHERE destination = ?1 AND kind = ?2 AND dedup_key = ?3)
            """, item.destination, item.kind.rawValue, item.dedupKey
        ) { try $0.integer() } != nil
    }

    static func item(_ row: SQLiteStatement, path: String) throws -> OutboxItem {
        let id = try row.integer()
        var content = NewOutboxItem(
            destination: try row.text(), kind: RecordKind(rawValue: try row.text()), dedupKey: try row.text(),
            orderingKey: try row.text(), revision: try row.int(), isTombstone: try row.bool(), payload: [],
            recordIDs: [])
        let state = DeliveryState(rawValue: try row.text())
        let attempts = try row.int()
        let lastStatus = try row.optional { try $0.int() }
        let lastReason = try row.optional { try $0.text() }
        let backendID = try row.optional { try $0.text() }
        let createdAt = try row.instant()
        let updatedAt = try row.instant()
        guard let state, let members = try? MemberText.members(from: try row.utf8()) else {
            throw SQLiteFailure.damaged(path, "the database contains an unreadable outbox item")
        }
        content.recordIDs = members
        content.payload = try row.blob()
        if let start = try row.optional({ try $0.instant() }) {
            content.slice = try slice(from: start, ids: content.payload, row, path: path)
            content.payload = []
        }
        return OutboxItem(
            id: id, content: content, state: state, attempts: attempts, lastStatus: lastStatus,
            lastReason: lastReason, backendID: backendID, createdAt: createdAt, updatedAt: updatedAt)
    }

    /// Reads the next columns: interval_s, samples.
    private static func slice(
        from start: Instant, ids: [UInt8], _ row: SQLiteStatement, path: String
    ) throws -> SampleSlice {
        guard let interval = GridInterval(start: start, seconds: try row.integer()),
            let only = PackedSampleIDs.ids(from: ids)
        else { throw SQLiteFailure.damaged(path, "the database contains an unreadable outbox item") }
        return SampleSlice(interval: interval, count: try row.int(), only: only)
    }
}

/// The text of `outbox_item.member_ids`: `["…","…"]`.
private enum MemberText {
    static func text(_ members: [String]) -> [UInt8] {
        var json = JSONBytes(reserving: 2 + members.count * 40)
        json.array(members) { json, member in json.string(member) }
        return json.bytes
    }

    static func members(from text: [UInt8]) throws(UnexpectedJSON) -> [String] {
        try JSONByteReader.elements(of: text) { (reader) throws(UnexpectedJSON) in try reader.string() }
    }
}

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

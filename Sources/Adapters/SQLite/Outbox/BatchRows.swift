import HealthSyncDomain

/// Rows of `outbox_batch`: frozen requests.
enum BatchRows {
    /// The owner of a batch or its items, and the expiry time.
    struct Lease {
        var owner: String
        var fence: Int64
        var until: Instant
    }

    /// Stores a frozen request with an optional lease and returns its row id.
    static func insert(_ batch: OutboxBatch, lease: Lease?, over connection: SQLiteConnection) throws -> Int64 {
        try connection.execute(
            """
            INSERT INTO outbox_batch (destination, key, kind, method, path, send_count, lease_owner, lease_until_ms,
                fence, items, body, is_compressed, sample_ids)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, batch.destination, batch.key, batch.kind.rawValue, batch.operation.rawValue, batch.path,
            batch.sendCount, lease?.owner, lease?.until, lease?.fence ?? 0,
            SQLiteValue.utf8(BatchMemberText.text(of: batch)),
            SQLiteValue.blob(batch.body), batch.isCompressed,
            batch.sampleIDs.isEmpty ? SQLiteValue.null : .blob(PackedSampleIDs.bytes(ofItems: batch.sampleIDs)))
        return connection.lastInsertedRowID
    }

    /// Returns the row id of the batch of `lease` if the lease is still valid.
    static func id(of lease: BatchLease, over connection: SQLiteConnection) throws -> Int64? {
        try connection.first(
            "SELECT id FROM outbox_batch WHERE destination = ? AND key = ? AND lease_owner = ? AND fence = ?",
            lease.batch.destination, lease.batch.key, lease.owner, lease.fence
        ) { try $0.integer() }
    }

    /// Leases the oldest batch that is unleased and due.
    static func claim(
        destination: String, owner: String, now: Instant, leaseUntil: Instant, over connection: SQLiteConnection
    ) throws -> BatchLease? {
        let due = """
            FROM outbox_batch WHERE destination = ?1 AND (lease_owner IS NULL OR lease_until_ms <= ?2)
                AND (not_before_ms IS NULL OR not_before_ms <= ?2)
            """
        guard try connection.first("SELECT 1 \(due) LIMIT 1", destination, now, read: { try $0.int() }) != nil else {
            return nil
        }
        let fence = try DestinationRows.nextFence(of: destination, over: connection)
        let claimed = try connection.first(
            """
            UPDATE outbox_batch SET lease_owner = ?3, lease_until_ms = ?4, fence = ?5, not_before_ms = NULL
            WHERE id = (SELECT id \(due) ORDER BY id LIMIT 1)
            RETURNING id, destination, key, kind, method, path, send_count, items, body, is_compressed, sample_ids
            """, destination, now, owner, leaseUntil, fence
        ) { row in (id: try row.integer(), batch: try batch(row, path: connection.path)) }
        guard let claimed else { return nil }
        try connection.execute(
            """
            UPDATE outbox_item SET state = 'leased', lease_owner = ?, lease_until_ms = ?, fence = ?, updated_at_ms = ?
            WHERE batch_id = ?
            """, owner, leaseUntil, fence, now, claimed.id)
        return BatchLease(batch: claimed.batch, owner: owner, fence: fence)
    }

    /// Stores `batch` for items that are still held under `lease`; returns `nil` without a change if one of them is
    /// not.
    static func freeze(
        _ batch: OutboxBatch, lease: Lease, over connection: SQLiteConnection
    ) throws -> BatchLease? {
        var list = JSONBytes(reserving: 2 + batch.itemIDs.count * 8)
        list.array(batch.itemIDs) { json, id in json.number(id) }
        let held = try connection.first(
            """
            SELECT count(*) FROM outbox_item WHERE id IN (SELECT value FROM json_each(?)) AND destination = ?
                AND state = 'leased' AND batch_id IS NULL AND lease_owner = ? AND fence = ?
            """, SQLiteValue.utf8(list.bytes), batch.destination, lease.owner, lease.fence
        ) { try $0.int() }
        guard held == batch.itemIDs.count, !batch.itemIDs.isEmpty else { return nil }
        let batchID = try insert(batch, lease: lease, over: connection)
        try connection.execute(
            """
            UPDATE outbox_item SET batch_id = ?, lease_until_ms = ? WHERE id IN (SELECT value FROM json_each(?))
            """, batchID, lease.until, SQLiteValue.utf8(list.bytes))
        return BatchLease(batch: batch, owner: lease.owner, fence: lease.fence)
    }

    /// Replaces the batch of `lease` with the unleased batches `parts`; returns false if the lease was lost.
    static func split(
        _ lease: BatchLease, into parts: [OutboxBatch], now: Instant, over connection: SQLiteConnection
    ) throws -> Bool {
        guard let whole = try id(of: lease, over: connection) else { return false }
        for part in parts {
            let partID = try insert(part, lease: nil, over: connection)
            for id in part.itemIDs {
                try connection.execute(
                    """
                    UPDATE outbox_item SET batch_id = ?, state = 'pending', lease_owner = NULL, lease_until_ms = NULL,
                        fence = NULL, attempts = attempts + 1, updated_at_ms = ?
                    WHERE id = ? AND batch_id = ?
                    """, partID, now, id, whole)
                guard connection.changedRows == 1 else {
                    throw SyncFailure(
                        .unexpected, subject: connection.path,
                        reason: "a part of a request contains an item of another request",
                        advice: "report this as a bug")
                }
            }
        }
        try BatchSettlement.release(batchID: whole, reason: nil, status: nil, now: now, over: connection)
        try connection.execute("DELETE FROM outbox_batch WHERE id = ?", whole)
        return true
    }

    private static func batch(_ row: SQLiteStatement, path: String) throws -> OutboxBatch {
        var batch = OutboxBatch(
            key: "", destination: try row.text(), kind: RecordKind(rawValue: ""), body: [], itemIDs: [], recordIDs: [])
        batch.key = try row.text()
        batch.kind = RecordKind(rawValue: try row.text())
        guard let operation = BatchOperation(rawValue: try row.text()) else {
            throw SQLiteFailure.damaged(path, "the database contains an unreadable request")
        }
        batch.operation = operation
        batch.path = try row.text()
        batch.sendCount = try row.int()
        guard let members = try? BatchMemberText.members(from: try row.utf8()) else {
            throw SQLiteFailure.damaged(path, "the database contains an unreadable request")
        }
        batch.itemIDs = members.map(\.item)
        batch.recordIDs = members.map(\.members)
        batch.body = try row.blob()
        batch.isCompressed = try row.bool()
        if let packed = try row.optional({ try $0.blob() }) {
            guard let ids = PackedSampleIDs.items(from: packed), ids.count == batch.itemIDs.count else {
                throw SQLiteFailure.damaged(path, "the database contains an unreadable request")
            }
            batch.sampleIDs = ids
        }
        return batch
    }
}

/// The text of `outbox_batch.items`: `[{"item":1,"members":["…"]},…]`.
private enum BatchMemberText {
    static func text(of batch: OutboxBatch) -> [UInt8] {
        var json = JSONBytes(reserving: 2 + batch.itemIDs.count * 64)
        json.array(Array(zip(batch.itemIDs, batch.recordIDs))) { json, item in
            json.raw("{\"item\":")
            json.number(item.0)
            json.raw(",\"members\":")
            json.array(item.1) { json, member in json.string(member) }
            json.raw("}")
        }
        return json.bytes
    }

    static func members(from text: [UInt8]) throws(UnexpectedJSON) -> [(item: Int64, members: [String])] {
        try JSONByteReader.elements(of: text) { (reader) throws(UnexpectedJSON) in
            try reader.expect("{\"item\":")
            let item = try reader.integer()
            try reader.expect(",\"members\":")
            let members = try reader.array { (reader) throws(UnexpectedJSON) in try reader.string() }
            try reader.expect("}")
            return (item: item, members: members)
        }
    }
}

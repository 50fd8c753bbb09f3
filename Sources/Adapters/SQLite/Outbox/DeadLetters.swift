import HealthSyncDomain

/// The user's actions on items that were finally rejected.
enum DeadLetters {
    /// Selects the dead letters among `ids`, or all of them for NULL.
    private static let isChosen = "state = 'dead' AND (?1 IS NULL OR id IN (SELECT value FROM json_each(?1)))"

    /// Makes the dead letters wait again and returns their number.
    static func retry(_ ids: [Int64]?, now: Instant, over connection: SQLiteConnection) throws -> Int {
        try connection.execute(
            "UPDATE outbox_item SET state = 'pending', updated_at_ms = ?2 WHERE \(isChosen)", list(ids), now)
        return connection.changedRows
    }

    /// Deletes the dead letters and returns their number. Their keys go to the ledger, so that they are not enqueued
    /// again. Samples need no ledger entry: their interval is known, and is then neither synced nor offered again.
    static func drop(_ ids: [Int64]?, now: Instant, over connection: SQLiteConnection) throws -> Int {
        try connection.execute(
            """
            INSERT INTO delivered (id, destination, kind, dedup_key, ordering_key, revision, is_tombstone, attempts,
                last_status, is_dropped, settled_at_ms)
            SELECT id, destination, kind, dedup_key, ordering_key, revision, is_tombstone, attempts, last_status, 1, ?2
            FROM outbox_item WHERE interval_start_ms IS NULL AND \(isChosen)
            """, list(ids), now)
        try connection.execute("DELETE FROM outbox_item WHERE \(isChosen)", list(ids))
        return connection.changedRows
    }

    private static func list(_ ids: [Int64]?) -> SQLiteValue {
        guard let ids else { return .null }
        var json = JSONBytes(reserving: 2 + ids.count * 8)
        json.array(ids) { json, id in json.number(id) }
        return .utf8(json.bytes)
    }
}

import HealthSyncDomain

/// The end of a request for items that refer to samples, and for their intervals.
enum SliceSettlement {
    /// Turns the item's rejected samples into dead letters and the samples that wait again into new items. The item
    /// itself is left to be deleted with its batch.
    static func divide(
        _ item: Int64, _ verdicts: SampleVerdicts, status: Int?, now: Instant, over connection: SQLiteConnection
    ) throws {
        for rejected in verdicts.rejected {
            try insert(
                [rejected.id], key: rejected.id.description, state: "dead", reason: rejected.reason, from: item,
                status: status, now: now, over: connection)
        }
        for (index, group) in verdicts.waiting.enumerated() where !group.isEmpty {
            try insert(
                group, key: "samples of \(item), \(index)", state: "pending", reason: nil, from: item, status: status,
                now: now, over: connection)
        }
    }

    /// Returns the intervals of the items of a batch.
    static func intervals(
        ofBatch batchID: Int64, over connection: SQLiteConnection
    ) throws -> [(destination: String, kind: String, start: Instant)] {
        try connection.rows(
            """
            SELECT DISTINCT destination, kind, interval_start_ms FROM outbox_item
            WHERE batch_id = ? AND interval_start_ms IS NOT NULL
            """, batchID
        ) { (destination: try $0.text(), kind: try $0.text(), start: try $0.instant()) }
    }

    /// Marks the intervals that have no items left in the outbox as synced.
    static func markSynced(
        _ intervals: [(destination: String, kind: String, start: Instant)], now: Instant,
        over connection: SQLiteConnection
    ) throws {
        for interval in intervals {
            try connection.execute(
                """
                UPDATE interval_delivery SET synced_at_ms = ?4
                WHERE destination = ?1 AND kind = ?2 AND start_ms = ?3 AND NOT EXISTS (
                    SELECT 1 FROM outbox_item WHERE destination = ?1 AND kind = ?2 AND interval_start_ms = ?3)
                """, interval.destination, interval.kind, interval.start, now)
        }
    }

    /// Inserts an item for samples of `item`. A sample that is already a dead letter is not added again.
    private static func insert(
        _ ids: [SampleID], key: String, state: String, reason: String?, from item: Int64, status: Int?, now: Instant,
        over connection: SQLiteConnection
    ) throws {
        try connection.execute(
            """
            INSERT OR IGNORE INTO outbox_item (destination, kind, dedup_key, ordering_key, revision, is_tombstone, state,
                attempts, last_status, last_reason, created_at_ms, updated_at_ms, member_ids, payload,
                interval_start_ms, interval_s, samples)
            SELECT destination, kind, ?8, ?8, revision, 0, ?2, attempts, ?3, ?4, created_at_ms, ?5, '[]', ?6,
                interval_start_ms, interval_s, ?7
            FROM outbox_item WHERE id = ?1
            """, item, state, status, reason, now, SQLiteValue.blob(PackedSampleIDs.bytes(of: ids)), ids.count, key)
    }
}

import HealthSyncDomain

/// The end of a request: its items are settled by their verdicts, or all of them wait again.
enum BatchSettlement {
    /// Moves delivered items to the ledger, marks rejected ones as dead letters, and makes the others wait again,
    /// including items without a verdict.
    static func settle(
        _ lease: BatchLease, verdicts: [ItemVerdict], status: Int?, now: Instant, over connection: SQLiteConnection
    ) throws -> Bool {
        guard let batchID = try BatchRows.id(of: lease, over: connection) else { return false }
        try connection.execute("UPDATE outbox_item SET attempts = attempts + 1 WHERE batch_id = ?", batchID)
        for (index, item) in lease.batch.itemIDs.enumerated() {
            switch index < verdicts.count ? verdicts[index] : .retry {
            case .delivered, .stored: continue
            case .samples(let verdicts) where lease.batch.isOneSample(index) && verdicts.rejected.count == 1:
                // A dead letter that is sent and rejected again stays the same item.
                try take(
                    item, outOf: batchID, to: "dead", reason: verdicts.rejected[0].reason, status: status, now: now,
                    over: connection)
            case .samples(let verdicts):
                try SliceSettlement.divide(item, verdicts, status: status, now: now, over: connection)
            case .rejected(let reason):
                try take(item, outOf: batchID, to: "dead", reason: reason, status: status, now: now, over: connection)
            case .retry:
                try take(item, outOf: batchID, to: "pending", reason: nil, status: status, now: now, over: connection)
            }
        }
        try connection.execute(
            """
            INSERT INTO delivered (id, destination, kind, dedup_key, ordering_key, revision, is_tombstone, attempts,
                last_status, is_dropped, settled_at_ms)
            SELECT id, destination, kind, dedup_key, ordering_key, revision, is_tombstone, attempts, ?, 0, ?
            FROM outbox_item WHERE batch_id = ? AND interval_start_ms IS NULL
            """, status, now, batchID)
        try keepBackendIDs(lease.batch.itemIDs, verdicts, over: connection)
        let intervals = try SliceSettlement.intervals(ofBatch: batchID, over: connection)
        try connection.execute("DELETE FROM outbox_item WHERE batch_id = ?", batchID)
        try connection.execute("DELETE FROM outbox_batch WHERE id = ?", batchID)
        try SliceSettlement.markSynced(intervals, now: now, over: connection)
        return true
    }

    /// Stores the ids that the destination gave to delivered records.
    private static func keepBackendIDs(
        _ items: [Int64], _ verdicts: [ItemVerdict], over connection: SQLiteConnection
    ) throws {
        for case (let item, .stored(let backendID)) in zip(items, verdicts) {
            try connection.execute("UPDATE delivered SET backend_id = ? WHERE id = ?", backendID, item)
        }
    }

    /// Schedules the same bytes for another attempt, not before `notBefore`; the items' attempts are not counted.
    static func giveBack(
        _ lease: BatchLease, reason: String, status: Int?, notBefore: Instant, now: Instant,
        over connection: SQLiteConnection
    ) throws -> Bool {
        guard let batchID = try BatchRows.id(of: lease, over: connection) else { return false }
        try connection.execute(
            """
            UPDATE outbox_batch SET send_count = send_count + 1, lease_owner = NULL, lease_until_ms = NULL,
                not_before_ms = ?
            WHERE id = ?
            """, notBefore, batchID)
        try connection.execute(
            """
            UPDATE outbox_item SET state = 'pending', lease_owner = NULL, lease_until_ms = NULL, fence = NULL,
                last_status = ?, last_reason = ?, updated_at_ms = ?
            WHERE batch_id = ?
            """, status, reason, now, batchID)
        return true
    }

    /// Makes the remaining items of a batch that is about to be deleted wait on their own.
    static func release(
        batchID: Int64, reason: String?, status: Int?, now: Instant, over connection: SQLiteConnection
    ) throws {
        try connection.execute(
            """
            UPDATE outbox_item SET batch_id = NULL, state = 'pending', lease_owner = NULL, lease_until_ms = NULL,
                fence = NULL, last_status = coalesce(?, last_status), last_reason = coalesce(?, last_reason),
                updated_at_ms = ?
            WHERE batch_id = ?
            """, status, reason, now, batchID)
    }

    private static func take(
        _ item: Int64, outOf batchID: Int64, to state: String, reason: String?, status: Int?, now: Instant,
        over connection: SQLiteConnection
    ) throws {
        try connection.execute(
            """
            UPDATE outbox_item SET batch_id = NULL, state = ?, lease_owner = NULL, lease_until_ms = NULL, fence = NULL,
                last_status = ?, last_reason = ?, updated_at_ms = ?
            WHERE id = ? AND batch_id = ?
            """, state, status, reason, now, item, batchID)
    }
}

/// The end of a request for items that refer to samples, and for their intervals.
private enum SliceSettlement {
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

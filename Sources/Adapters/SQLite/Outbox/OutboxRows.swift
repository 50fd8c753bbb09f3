import HealthSyncDomain

/// Rows of `outbox_item`.
enum OutboxRows {
    /// Puts `items` behind those that wait; one whose key is in the outbox or in the ledger is left as it is.
    ///
    /// - Returns: how many were new.
    static func enqueue(_ items: [NewOutboxItem], now: Instant, over connection: SQLiteConnection) throws -> Int {
        var added = 0
        for item in items {
            try connection.execute(
                """
                INSERT INTO outbox_item (destination, kind, dedup_key, ordering_key, revision, is_tombstone, state,
                    created_at_ms, updated_at_ms, member_ids, payload)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, 'pending', ?7, ?7, ?8, ?9
                WHERE NOT EXISTS (SELECT 1 FROM delivered WHERE destination = ?1 AND kind = ?2 AND dedup_key = ?3)
                ON CONFLICT (destination, kind, dedup_key) DO NOTHING
                """, item.destination, item.kind.rawValue, item.dedupKey, item.orderingKey, item.revision,
                item.isTombstone, now, SQLiteValue.utf8(MemberText.text(item.memberIDs)),
                SQLiteValue.blob(item.payload))
            added += connection.changedRows
        }
        return added
    }
}

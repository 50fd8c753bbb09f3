import HealthSyncDomain

/// Stores a `LayeringCommit`.
enum LayeringCommitRows {
    /// Stores `commit` and returns the number of new outbox items.
    static func store(
        _ commit: LayeringCommit, type: Int64, now: Instant, over connection: SQLiteConnection
    ) throws -> Int {
        let kind = RecordKind.samples(of: commit.type).rawValue
        try connection.execute(
            """
            INSERT INTO layered_type (type_id, kind, measure, measure_limit, generation) VALUES (?, ?, ?, ?, 1)
            ON CONFLICT (type_id) DO UPDATE SET measure = excluded.measure, measure_limit = excluded.measure_limit,
                generation = generation + 1
            """, type, kind, commit.rule.measure.rawValue, commit.rule.limit)
        for key in commit.superseded {
            try connection.execute(
                """
                DELETE FROM outbox_item
                WHERE destination = ? AND kind = ? AND interval_start_ms = ? AND batch_id IS NULL
                """, key.destination, kind, key.start)
        }
        for start in commit.removed {
            try connection.execute("DELETE FROM sync_interval WHERE type_id = ? AND start_ms = ?", type, start)
            try connection.execute("DELETE FROM interval_delivery WHERE kind = ? AND start_ms = ?", kind, start)
        }
        for interval in commit.intervals { try IntervalRows.store(interval, type: type, over: connection) }
        let added = try OutboxRows.enqueue(commit.outbox, now: now, over: connection)
        try noteDeliveries(of: commit, kind: kind, now: now, over: connection)
        for revision in commit.revisions {
            try connection.execute(
                "INSERT OR REPLACE INTO sample_revision (type_id, id, revision, is_deleted) VALUES (?, ?, ?, ?)",
                type, ContentDigest(high: revision.id.high, low: revision.id.low), revision.revision, revision.isDeleted
            )
        }
        if commit.settlesChangedPages {
            try connection.execute("DELETE FROM changed_page WHERE type_id = ?", type)
        }
        return added
    }

    private static func noteDeliveries(
        of commit: LayeringCommit, kind: String, now: Instant, over connection: SQLiteConnection
    ) throws {
        for item in commit.outbox {
            guard let slice = item.slice else { continue }
            try connection.execute(
                """
                INSERT INTO interval_delivery (destination, kind, start_ms) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET synced_at_ms = NULL
                """, item.destination, kind, slice.interval.start)
        }
        for key in commit.synced {
            try connection.execute(
                """
                INSERT INTO interval_delivery (destination, kind, start_ms, synced_at_ms) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET synced_at_ms = coalesce(synced_at_ms, excluded.synced_at_ms)
                """, key.destination, kind, key.start, now)
        }
    }
}

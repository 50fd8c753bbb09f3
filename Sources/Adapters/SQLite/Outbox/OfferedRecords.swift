import HealthSyncDomain
import HealthSyncPorts

/// The stored records that were offered to a destination. The dedup key of a record is `sourceID@revision`.
enum OfferedRecords {
    /// Returns the stored records of `days` that are offered to `destination` and neither in its outbox nor in its ledger;
    /// all of them for `nil`, which matches no row in SQL.
    static func missing(
        destination: String?, days: DayRange, over connection: SQLiteConnection
    ) throws -> MissingRecords {
        var missing = MissingRecords()
        missing.progress = try connection.rows(
            """
            SELECT \(ProgressRows.columns) FROM daily_progress
            WHERE day BETWEEN ?2 AND ?3 AND \(isUnknown(.progress, in: "daily_progress"))
                AND \(FormerDeliveryRows.isOffered)
            ORDER BY day, metric
            """, destination, days.first, days.last
        ) { try ProgressRows.record($0, path: connection.path) }
        missing.sleep = try connection.rows(
            """
            SELECT \(SleepRows.columns) FROM sleep_session
            WHERE day BETWEEN ?2 AND ?3 AND \(isUnknown(.sleep, in: "sleep_session")) ORDER BY day, start_ms, source_id
            """, destination, days.first, days.last
        ) { try SleepRows.record($0, path: connection.path) }
        missing.snapshots = try connection.rows(
            """
            SELECT \(SnapshotRows.columns) FROM activity_snapshot
            WHERE day BETWEEN ?2 AND ?3 AND \(isUnknown(.snapshots, in: "activity_snapshot")) ORDER BY day
            """, destination, days.first, days.last
        ) { try SnapshotRows.record($0) }
        return missing
    }

    /// Removes the stored records of `days` from the ledger.
    static func forgetDelivered(destination: String, days: DayRange, over connection: SQLiteConnection) throws {
        for (kind, table) in [
            (RecordKind.progress, "daily_progress"), (.sleep, "sleep_session"), (.snapshots, "activity_snapshot"),
        ] {
            try connection.execute(
                """
                DELETE FROM delivered WHERE destination = ?1 AND kind = '\(kind.rawValue)'
                    AND dedup_key IN (SELECT source_id || '@' || revision FROM \(table) WHERE day BETWEEN ?2 AND ?3)
                """, destination, days.first, days.last)
        }
    }

    private static func isUnknown(_ kind: RecordKind, in table: String) -> String {
        ["outbox_item", "delivered"].map { known in
            """
            NOT EXISTS (SELECT 1 FROM \(known) AS known WHERE known.destination = ?1
                AND known.kind = '\(kind.rawValue)'
                AND known.dedup_key = \(table).source_id || '@' || \(table).revision)
            """
        }.joined(separator: " AND ")
    }
}

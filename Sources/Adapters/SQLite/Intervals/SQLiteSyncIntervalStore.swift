import HealthSyncDomain
import HealthSyncPorts

/// The intervals in which raw samples are delivered, in `layered_type`, `sync_interval`, `interval_delivery`,
/// `sample_revision` and `changed_page`.
struct SQLiteSyncIntervalStore: SyncIntervalStore {
    let writer: SQLiteWriter
    let reader: SQLiteReader
    let time: any TimeSource

    func commit(_ commit: LayeringCommit) async throws -> Int {
        let now = time.now()
        return try await writer.write { transaction in
            let connection = transaction.connection
            guard let type = try transaction.references.typeID(commit.type, over: connection) else {
                // A type that never had a page has no samples.
                return 0
            }
            return try LayeringCommitRows.store(commit, type: type, now: now, over: connection)
        }
    }

    func forgetDelivered(of type: SampleType, destination: String, in range: InstantRange) async throws {
        try await writer.write { transaction in
            let connection = transaction.connection
            let starts = """
                SELECT start_ms FROM sync_interval
                WHERE type_id = (SELECT id FROM sample_type WHERE identifier = ?2) AND start_ms < ?4 AND end_ms > ?3
                """
            let kind = RecordKind.samples(of: type).rawValue
            try connection.execute(
                """
                DELETE FROM outbox_item WHERE destination = ?1 AND kind = ?5 AND batch_id IS NULL
                    AND interval_start_ms IN (\(starts))
                """, destination, type.rawValue, range.start, range.end, kind)
            try connection.execute(
                "DELETE FROM interval_delivery WHERE destination = ?1 AND kind = ?5 AND start_ms IN (\(starts))",
                destination, type.rawValue, range.start, range.end, kind)
        }
    }

    func clear() async throws -> Int {
        try await writer.write { transaction in
            let connection = transaction.connection
            try connection.execute("DELETE FROM outbox_item WHERE interval_start_ms IS NOT NULL")
            try connection.execute("DELETE FROM outbox_batch WHERE sample_ids IS NOT NULL")
            try connection.execute("DELETE FROM interval_delivery")
            try connection.execute("DELETE FROM changed_page")
            try connection.execute("DELETE FROM sync_interval")
            let count = connection.changedRows
            try connection.execute("DELETE FROM layered_type")
            return count
        }
    }
}

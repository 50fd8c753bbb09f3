import HealthSyncDomain

/// Rows of `removed_record`: what is left of records that are no more.
enum RemovedRows {
    static func store(_ sourceID: String, kind: RecordKind, revision: Int, over connection: SQLiteConnection) throws {
        try connection.execute(
            """
            INSERT INTO removed_record (source_id, kind, revision) VALUES (?, ?, ?)
            ON CONFLICT (source_id) DO UPDATE SET kind = excluded.kind, revision = max(revision, excluded.revision)
            """, sourceID, kind.rawValue, revision)
    }

    /// A record that is there again is no removed one.
    static func forget(_ sourceID: String, over connection: SQLiteConnection) throws {
        try connection.execute("DELETE FROM removed_record WHERE source_id = ?", sourceID)
    }
}

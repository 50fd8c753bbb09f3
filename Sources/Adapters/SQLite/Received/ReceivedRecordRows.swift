import HealthSyncDomain

/// Derived records in the table `records`.
enum ReceivedRecordRows {
    /// Stores `records` and decides each with `StoreOutcome.of`.
    static func store(
        _ records: [ReceivedRecord], kind: RecordKind, user: UserName, at instant: Instant,
        in transaction: ReceivedTransaction
    ) throws -> [StoreOutcome] {
        let userRow = try transaction.row(of: user)
        let connection = transaction.connection
        return try records.map { record in
            let known = try connection.first(
                "SELECT record_id, revision, is_deleted FROM records WHERE user_id = ?1 AND kind = ?2 AND id = ?3",
                userRow, kind.rawValue, record.id
            ) { (row: try $0.integer(), revision: try $0.integer(), isDeleted: try $0.bool()) }
            let outcome = StoreOutcome.of(
                revision: record.revision, isDeleted: record.isDeleted,
                over: known.map { ($0.revision, $0.isDeleted) })
            switch outcome {
            case .created:
                try connection.execute(
                    """
                    INSERT INTO records (user_id, kind, id, revision, is_deleted, type, granularity, day, start_ms,
                        body, created_ms, updated_ms)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11)
                    """, userRow, kind.rawValue, record.id, record.revision, record.isDeleted, record.type,
                    record.granularity, record.day, record.start, SQLiteValue.utf8(record.body), instant)
            case .updated:
                try connection.execute(
                    """
                    UPDATE records SET revision = ?2, is_deleted = ?3, type = ?4, granularity = ?5, day = ?6,
                        start_ms = ?7, body = ?8, updated_ms = ?9
                    WHERE record_id = ?1
                    """, known?.row, record.revision, record.isDeleted, record.type, record.granularity, record.day,
                    record.start, SQLiteValue.utf8(record.body), instant)
            case .duplicate: break
            }
            return outcome
        }
    }

    /// The columns that `record` reads.
    static let columns = "id, revision, type, granularity, day, start_ms, body, created_ms, updated_ms"

    /// Reads a stored record.
    static func record(_ row: SQLiteStatement) throws -> StoredRecord {
        let record = ReceivedRecord(
            id: try row.text(), revision: try row.integer(), type: try row.text(), granularity: try row.text(),
            day: try row.day(), start: try row.instant(), body: try row.utf8())
        return StoredRecord(record: record, createdAt: try row.instant(), updatedAt: try row.instant())
    }
}

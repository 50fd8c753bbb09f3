package import HealthSyncDomain

extension SQLiteReceivedDataStore {
    package func fold<Result: Sendable>(
        _ scan: RecordScan, into initial: Result,
        _ body: @escaping @Sendable (inout Result, ReceivedRecord) throws -> Void
    ) async throws -> Result {
        try await scanner.read { connection in
            var result = initial
            let user = try connection.first("SELECT user_id FROM users WHERE name = ?1", scan.user.text) {
                try $0.integer()
            }
            guard let user else { return result }
            try connection.forEach(
                Self.statement(scan), user, scan.kind.rawValue, scan.isOfTombstones ? nil : scan.from,
                scan.isOfTombstones ? nil : scan.through, scan.page?.after, scan.page?.limit ?? -1
            ) { row in
                try body(&result, try Self.record(row, isDeleted: scan.isOfTombstones))
                return true
            }
            return result
        }
    }

    /// Builds the query; only filters of the scan become conditions. Every tombstone is stored under the day of
    /// `ReceivedRecord.tombstone`.
    private static func statement(_ scan: RecordScan) -> String {
        let stated = [
            scan.isOfTombstones
                ? "is_deleted AND day = '\(ReceivedRecord.tombstone("", revision: 0).day)'" : "NOT is_deleted",
            scan.isOfTombstones || scan.from == nil ? "?3 IS NULL" : "day >= ?3",
            scan.isOfTombstones || scan.through == nil ? "?4 IS NULL" : "day <= ?4",
            scan.page == nil ? "?5 IS NULL" : "id > ?5",
        ]
        return """
            SELECT id, revision, type, granularity, day, start_ms, body FROM records INDEXED BY records_by_day
            WHERE user_id = ?1 AND kind = ?2 AND \(stated.joined(separator: " AND "))
            \(scan.page == nil ? "" : "ORDER BY id") LIMIT ?6
            """
    }

    private static func record(_ row: SQLiteStatement, isDeleted: Bool) throws -> ReceivedRecord {
        if isDeleted { return .tombstone(try row.text(), revision: try row.integer()) }
        return ReceivedRecord(
            id: try row.text(), revision: try row.integer(), type: try row.text(), granularity: try row.text(),
            day: try row.day(), start: try row.instant(), body: try row.utf8())
    }
}

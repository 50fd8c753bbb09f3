package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// The data of a receiving server, in one SQLite file.
package struct SQLiteReceivedDataStore: ReceivedDataStore {
    /// Encodes a sample as a line of `steps.jsonl`, including the newline.
    package typealias LineEncoder = @Sendable (ReceivedSample, ReceivedOrigin?) -> [UInt8]

    private let writer: GroupCommitWriter
    let reader: SQLiteReaderPool
    /// For scans of all records, which take a second or two and must not delay other queries.
    private let scanner: SQLiteReaderPool
    let cells: SampleCellCache
    private let line: LineEncoder?
    private let versions = RecordVersions()

    /// Opens the database at `path`, after creating the folder (0700) and the file (0600) if they are missing. Only one
    /// process at a time may have it open.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - time: The clock that schedules attempts after a failed commit.
    ///   - linesFolder: The folder of `steps.jsonl`: the file of the user `local` is in the folder itself, those of
    ///     other users in a subfolder with their name. `nil` for no such files.
    ///   - line: The encoder of a line.
    /// - Throws: `SyncFailure` with `.storage`.
    package static func open(
        at path: String, time: any TimeSource, linesFolder: String? = nil, line: LineEncoder? = nil
    ) async throws -> SQLiteReceivedDataStore {
        var lines: (folder: String, line: LineEncoder)?
        if let linesFolder, let line { lines = (linesFolder, line) }
        let makeReader = {
            SQLiteReader(
                path: path, owner: ReceivedSchema.applicationID, latest: ReceivedSchema.latest,
                advice: ReceivedSchema.advice)
        }
        let cells = SampleCellCache()
        let store = SQLiteReceivedDataStore(
            writer: GroupCommitWriter(path: path, lines: lines, rewrites: cells.rewrites, time: time),
            reader: SQLiteReaderPool(count: 4, make: makeReader), scanner: SQLiteReaderPool(count: 2, make: makeReader),
            cells: cells, line: lines?.line)
        try await store.writer.open()
        return store
    }

    package func store(_ write: ReceivedWrite) async throws -> [StoreOutcome] {
        let line = line
        // Also after an error: the state of a failed commit is unknown.
        defer { if case .records = write.content { versions.advance(of: write.user) } }
        return try await writer.write(for: write.user, size: write.count) { transaction in
            try Self.perform(write, line: line, in: transaction)
        }
    }

    private static func perform(
        _ write: ReceivedWrite, line: LineEncoder?, in transaction: ReceivedTransaction
    ) throws -> [StoreOutcome] {
        if let key = write.key { try check(key, user: write.user, at: write.receivedAt, in: transaction) }
        switch write.content {
        case .samples(let type, let batch):
            return try ReceivedSampleWriting.store(
                batch, type: type, user: write.user, in: transaction, line: type == "steps" ? line : nil)
        case .records(let kind, let records):
            return try ReceivedRecordRows.store(
                records, kind: kind, user: write.user, at: write.receivedAt, in: transaction)
        }
    }

    private static func check(
        _ key: BatchKey, user: UserName, at instant: Instant, in transaction: ReceivedTransaction
    ) throws {
        let userRow = try transaction.row(of: user)
        let known = try transaction.connection.first(
            "SELECT content FROM batch_keys WHERE user_id = ?1 AND key = ?2", userRow, key.key
        ) { try $0.digest() }
        if let known {
            guard known == key.content else {
                throw SyncFailure(
                    .batchKeyReused, subject: "Idempotency-Key", reason: "was used before with different content",
                    advice: "use a new key for each content")
            }
            return
        }
        try transaction.connection.execute(
            "INSERT INTO batch_keys (user_id, key, content, received_ms) VALUES (?1, ?2, ?3, ?4)", userRow, key.key,
            key.content, instant)
    }

    package func removeAllSamples(of type: String, user: UserName) async throws -> Int {
        try await writer.write(for: user) { try ReceivedSampleWriting.removeAll(type: type, user: user, in: $0) }
    }

    package func version(of user: UserName) -> DataVersion? { versions.version(of: user) }

    package func deleteBatchKeys(before instant: Instant) async throws {
        try await writer.write(for: nil) {
            try $0.connection.execute("DELETE FROM batch_keys WHERE received_ms < ?1", instant)
        }
    }

    package func checkWritable() async throws { try await writer.checkWritable() }

    package func close() async {
        // The readers first, because the log can be truncated only without readers. A failure to close loses no data.
        try? await reader.close()
        try? await scanner.close()
        try? await writer.close()
    }
}

/// Counts the writes of records of each user. Only one process has the file open.
private final class RecordVersions: Sendable {
    private let counts = Mutex<[UserName: Int]>([:])

    func advance(of user: UserName) { counts.withLock { $0[user, default: 0] += 1 } }

    func version(of user: UserName) -> DataVersion { DataVersion("\(counts.withLock { $0[user, default: 0] })") }
}

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

extension SQLiteReceivedDataStore {
    package func samples(_ query: SampleQuery) async throws -> ReceivedSamplePage {
        try await reader.read { connection in
            try ReceivedSampleQueries(user: query.user, type: query.type, cache: cells, over: connection)
                .samples(after: query.after, in: query.interval, limit: query.limit)
        }
    }

    package func sampleCount(_ query: SampleQuery) async throws -> Int {
        try await reader.read { connection in
            try ReceivedSampleQueries(user: query.user, type: query.type, cache: cells, over: connection)
                .count(in: query.interval)
        }
    }

    package func sampleStarts(of type: String, user: UserName) async throws -> ClosedRange<Instant>? {
        try await reader.read { connection in
            try ReceivedSampleQueries(user: user, type: type, cache: cells, over: connection).starts()
        }
    }

    /// Only filters of the query become conditions, so that each form of query can use its index.
    private static func matching(_ query: RecordQuery) -> String {
        let stated = [
            query.id == nil ? "?3 IS NULL" : "id = ?3", query.type == nil ? "?4 IS NULL" : "type = ?4",
            query.granularity == nil ? "?5 IS NULL" : "granularity = ?5",
            query.from == nil ? "?6 IS NULL" : "day >= ?6", query.through == nil ? "?7 IS NULL" : "day <= ?7",
        ]
        // Without statistics SQLite would use the index on days and visit the entries of every metric and hour.
        let isOfType = query.id == nil && query.type != nil && query.granularity != nil
        return """
            FROM records \(isOfType ? "INDEXED BY records_by_type" : "") JOIN users USING (user_id)
            WHERE name = ?1 AND kind = ?2 AND is_deleted = 0 AND \(stated.joined(separator: " AND "))
            """
    }

    package func records(_ query: RecordQuery) async throws -> [StoredRecord] {
        try await reader.read { connection in
            let direction = query.isDescending ? "DESC" : "ASC"
            return try connection.rows(
                """
                SELECT \(ReceivedRecordRows.columns) \(Self.matching(query))
                ORDER BY day \(direction), start_ms \(direction), id \(direction) LIMIT ?8 OFFSET ?9
                """, query.user.text, query.kind.rawValue, query.id, query.type, query.granularity, query.from,
                query.through, query.limit, query.offset, read: ReceivedRecordRows.record)
        }
    }

    package func recordCount(_ query: RecordQuery) async throws -> Int {
        try await reader.read { connection in
            try connection.first(
                "SELECT count(*) \(Self.matching(query))", query.user.text, query.kind.rawValue, query.id, query.type,
                query.granularity, query.from, query.through
            ) { try $0.int() } ?? 0
        }
    }

    package func digests(
        of type: String, in intervals: [InstantRange], user: UserName
    ) async throws -> [SampleSetDigest] {
        try await reader.read { connection in
            try ReceivedSampleQueries(user: user, type: type, cache: cells, over: connection).digests(in: intervals)
        }
    }

    package func recordTypes(of kind: RecordKind, user: UserName) async throws -> [String] {
        try await reader.read { connection in
            try connection.rows(
                """
                WITH RECURSIVE
                    mine(user_id) AS (SELECT user_id FROM users WHERE name = ?1),
                    types(type) AS (
                        SELECT (SELECT min(type) FROM records WHERE user_id = mine.user_id AND kind = ?2) FROM mine
                        UNION ALL
                        SELECT (SELECT min(type) FROM records
                            WHERE user_id = mine.user_id AND kind = ?2 AND type > types.type)
                        FROM types, mine WHERE types.type IS NOT NULL)
                SELECT type FROM types, mine WHERE EXISTS (
                    SELECT 1 FROM records INDEXED BY records_by_type
                    WHERE user_id = mine.user_id AND kind = ?2 AND type = types.type AND is_deleted = 0)
                """, user.text, kind.rawValue
            ) { try $0.text() }
        }
    }

    package func inventory(of user: UserName) async throws -> ReceivedInventory {
        try await reader.read { connection in
            let samples = try connection.rows(
                """
                SELECT type, sum(alive), min(first_start_ms), max(last_end_ms)
                FROM users JOIN series USING (user_id)
                    JOIN sample_pages INDEXED BY sample_pages_by_series USING (series_id)
                WHERE name = ?1 AND alive > 0 GROUP BY type ORDER BY type
                """, user.text
            ) { row in
                ReceivedInventory.Samples(
                    type: try row.text(), count: try row.int(), firstStart: try row.instant(),
                    lastEnd: try row.instant())
            }
            let records = try connection.rows(
                """
                SELECT kind, type, count(*), min(day), max(day) FROM records JOIN users USING (user_id)
                WHERE name = ?1 AND is_deleted = 0 GROUP BY kind, type ORDER BY kind, type
                """, user.text
            ) { row in
                ReceivedInventory.Records(
                    kind: RecordKind(rawValue: try row.text()), type: try row.text(), count: try row.int(),
                    firstDay: try row.day(), lastDay: try row.day())
            }
            return ReceivedInventory(samples: samples, records: records)
        }
    }
}

extension SampleQuery {
    /// The interval in which samples start; `nil` for all time.
    fileprivate var interval: InstantRange? {
        guard from != nil || until != nil else { return nil }
        return InstantRange(
            start: from ?? Instant(milliseconds: .min), end: until ?? Instant(milliseconds: .max))
    }
}

/// Derived records in the table `records`.
private enum ReceivedRecordRows {
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

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

extension SQLiteSyncIntervalStore {
    func layeredTypes() async throws -> [SampleType: LayeredType] {
        try await reader.read { connection in
            let rows = try connection.rows(
                """
                SELECT identifier, measure, measure_limit, generation
                FROM layered_type JOIN sample_type ON sample_type.id = type_id
                """
            ) { row in
                let type = SampleType(rawValue: try row.text())
                guard let measure = LayeringRule.Measure(rawValue: try row.text()) else {
                    throw SQLiteFailure.damaged(connection.path, "the database contains an unknown measure")
                }
                let rule = LayeringRule(measure: measure, limit: try row.integer())
                return (type, LayeredType(rule: rule, generation: try row.int()))
            }
            return Dictionary(rows, uniquingKeysWith: { first, _ in first })
        }
    }

    func intervalCount(of type: SampleType) async throws -> Int {
        try await reader.read { connection in
            try connection.first(
                "SELECT count(*) FROM sync_interval WHERE \(IntervalRows.isOfType)", type.rawValue
            ) { try $0.int() } ?? 0
        }
    }

    func intervals(of type: SampleType) async throws -> [SyncInterval] {
        try await reader.read { connection in
            try connection.rows(
                "SELECT \(IntervalRows.columns) FROM sync_interval WHERE \(IntervalRows.isOfType) ORDER BY start_ms",
                type.rawValue
            ) { try IntervalRows.interval($0, path: connection.path) }
        }
    }

    func statuses(of type: SampleType, destination: String?) async throws -> [IntervalStatus] {
        try await reader.remembered("statuses", "\(type) \(destination ?? "")") { connection in
            try connection.rows(
                """
                WITH items AS (
                    SELECT interval_start_ms, sum(state <> 'dead') AS waiting,
                        sum(iif(state = 'dead', samples, 0)) AS rejected
                    FROM outbox_item WHERE destination = ?2 AND kind = ?3 AND interval_start_ms IS NOT NULL
                    GROUP BY interval_start_ms)
                SELECT \(IntervalRows.columns), (
                        SELECT synced_at_ms FROM interval_delivery AS known WHERE known.destination = ?2
                            AND known.kind = ?3 AND known.start_ms = sync_interval.start_ms),
                    coalesce(waiting, 0), coalesce(rejected, 0)
                FROM sync_interval LEFT JOIN items ON interval_start_ms = start_ms
                WHERE \(IntervalRows.isOfType) ORDER BY start_ms
                """, type.rawValue, destination, RecordKind.samples(of: type).rawValue
            ) { row in
                let interval = try IntervalRows.interval(row, path: connection.path)
                let syncedAt = try row.optional { try $0.instant() }
                let waiting = try row.int()
                let rejected = try row.int()
                let state: IntervalState =
                    syncedAt != nil ? .synced : waiting > 0 ? .waiting : rejected > 0 ? .rejected : .local
                return IntervalStatus(interval: interval, state: state, syncedAt: syncedAt, rejectedCount: rejected)
            }
        }
    }

    func unoffered(
        of type: SampleType, destination: String, in range: InstantRange
    ) async throws -> [SyncInterval] {
        try await reader.read { connection in
            try connection.rows(
                """
                SELECT \(IntervalRows.columns) FROM sync_interval
                WHERE \(IntervalRows.isOfType) AND start_ms < ?4 AND end_ms > ?3 AND NOT EXISTS (
                    SELECT 1 FROM interval_delivery AS known
                    WHERE known.destination = ?2 AND known.kind = ?5 AND known.start_ms = sync_interval.start_ms)
                ORDER BY start_ms
                """, type.rawValue, destination, range.start, range.end, RecordKind.samples(of: type).rawValue
            ) { try IntervalRows.interval($0, path: connection.path) }
        }
    }

    func deliveries(of type: SampleType) async throws -> [String: [Instant: Bool]] {
        try await reader.read { connection in
            let rows = try connection.rows(
                "SELECT destination, start_ms, synced_at_ms IS NOT NULL FROM interval_delivery WHERE kind = ?",
                RecordKind.samples(of: type).rawValue
            ) { (destination: try $0.text(), start: try $0.instant(), isSynced: try $0.bool()) }
            var deliveries: [String: [Instant: Bool]] = [:]
            for row in rows { deliveries[row.destination, default: [:]][row.start] = row.isSynced }
            return deliveries
        }
    }

    func changedPages(of type: SampleType) async throws -> [ChangedPage] {
        try await reader.read { try ChangedPageRows.changes(of: type, over: $0) }
    }

    func revisions(of type: SampleType) async throws -> [SampleID: SampleRevision] {
        try await reader.read { connection in
            let rows = try connection.rows(
                "SELECT id, revision, is_deleted FROM sample_revision WHERE \(IntervalRows.isOfType)", type.rawValue
            ) { row in
                let bytes = try row.digest()
                let id = SampleID(high: bytes.high, low: bytes.low)
                return (id, SampleRevision(id: id, revision: try row.int(), isDeleted: try row.bool()))
            }
            return Dictionary(rows, uniquingKeysWith: { first, _ in first })
        }
    }
}

/// Stores a `LayeringCommit`.
private enum LayeringCommitRows {
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

/// Rows of `sync_interval`.
private enum IntervalRows {
    /// The columns that `interval` reads.
    static let columns = "start_ms, end_ms, step_count, sample_count, id_sum"

    /// A condition that selects the type given as first parameter.
    static let isOfType = "type_id = (SELECT id FROM sample_type WHERE identifier = ?1)"

    static func interval(_ row: SQLiteStatement, path: String) throws -> SyncInterval {
        let start = try row.instant()
        let seconds = (try row.integer() - start.milliseconds) / 1000
        guard let interval = GridInterval(start: start, seconds: seconds) else {
            throw SQLiteFailure.damaged(path, "the database contains an interval that is not on the grid")
        }
        let steps = try row.integer()
        let count = try row.int()
        let sum = try row.digest()
        return SyncInterval(
            interval: interval,
            figures: IntervalFigures(
                stepCount: steps, digest: IntervalDigest(count: count, high: sum.high, low: sum.low)))
    }

    static func store(_ interval: SyncInterval, type: Int64, over connection: SQLiteConnection) throws {
        let figures = interval.figures
        try connection.execute(
            """
            INSERT OR REPLACE INTO sync_interval (type_id, start_ms, end_ms, step_count, sample_count, id_sum)
            VALUES (?, ?, ?, ?, ?, ?)
            """, type, interval.interval.start, interval.interval.end, figures.stepCount, figures.sampleCount,
            ContentDigest(high: figures.digest.high, low: figures.digest.low))
    }
}

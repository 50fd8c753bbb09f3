import HealthSyncDomain
import HealthSyncPorts

/// The derived records and their tracking, in `daily_progress`, `sleep_session`, `activity_snapshot` and
/// `day_tracking`.
struct SQLiteSyncTrackingStore: SyncTrackingStore {
    let writer: SQLiteWriter
    let reader: SQLiteReader
    let time: any TimeSource

    func trackedDigests(
        of metric: HealthMetric, days: DayRange
    ) async throws -> [CalendarDay: ContentDigest] {
        try await reader.read { connection in
            let rows = try connection.rows(
                "SELECT day, digest FROM day_tracking WHERE metric = ? AND day BETWEEN ? AND ?", metric.rawValue,
                days.first, days.last
            ) { row in (try row.day(), try row.digest()) }
            return Dictionary(rows, uniquingKeysWith: { first, _ in first })
        }
    }

    func progress(
        derivedBy metric: HealthMetric, days: DayRange
    ) async throws -> [RevisedRecord<DailyProgress>] {
        try await reader.read { connection in
            try connection.rows(
                """
                SELECT \(ProgressRows.columns) FROM daily_progress WHERE derived_by = ? AND day BETWEEN ? AND ?
                ORDER BY day, metric
                """, metric.rawValue, days.first, days.last
            ) { try ProgressRows.record($0, path: connection.path) }
        }
    }

    func sleepSessions(days: DayRange) async throws -> [RevisedRecord<SleepSession>] {
        try await reader.read { connection in
            try connection.rows(
                """
                SELECT \(SleepRows.columns) FROM sleep_session WHERE day BETWEEN ? AND ?
                ORDER BY day, start_ms, source_id
                """, days.first, days.last
            ) { try SleepRows.record($0, path: connection.path) }
        }
    }

    func sleepSessions(withSourceIDs sourceIDs: [String]) async throws -> [RevisedRecord<SleepSession>] {
        try await reader.read { connection in
            try sourceIDs.compactMap { sourceID in
                try connection.first(
                    "SELECT \(SleepRows.columns) FROM sleep_session WHERE source_id = ?", sourceID
                ) { try SleepRows.record($0, path: connection.path) }
            }
        }
    }

    func recordRevisions() async throws -> [RecordKey: Int] {
        try await reader.read { connection in
            let rows = try connection.rows(
                """
                SELECT metric, day, '', revision FROM daily_progress
                UNION ALL SELECT ?, day, source_id, revision FROM sleep_session
                UNION ALL SELECT '', day, '', revision FROM activity_snapshot
                """, HealthMetric.sleep.rawValue
            ) { row in
                let metric = try row.text()
                let key = RecordKey(
                    metric: metric.isEmpty ? nil : HealthMetric(rawValue: metric), day: try row.day(),
                    session: try row.text())
                return (key, try row.int())
            }
            return Dictionary(rows, uniquingKeysWith: { first, _ in first })
        }
    }

    func snapshots(days: DayRange) async throws -> [RevisedRecord<ActivitySnapshot>] {
        try await reader.read { connection in
            try connection.rows(
                "SELECT \(SnapshotRows.columns) FROM activity_snapshot WHERE day BETWEEN ? AND ? ORDER BY day",
                days.first, days.last
            ) { try SnapshotRows.record($0) }
        }
    }

    func tombstoneRevisions(of orderingKeys: [String]) async throws -> [String: Int] {
        try await reader.read { try RemovedRows.revisions(of: orderingKeys, over: $0) }
    }

    func renewTombstones(revision: Int) async throws {
        try await writer.write { transaction in
            try CompletePartRows.forgetServers(over: transaction.connection)
            try RemovedRows.renew(revision: revision, over: transaction.connection)
        }
    }

    func commit(_ commit: SyncCommit) async throws {
        try commit.requireDistinctSessions()
        let now = time.now()
        // Encoded here, where other metrics are derived at the same time, and not on the thread of the writer.
        let progress = commit.progress.map(EncodedProgress.init)
        let sleep = commit.sleep.map(EncodedSleep.init)
        try await writer.write { transaction in
            let connection = transaction.connection
            // Removals first: a record stored in the same commit under a removed key stays.
            for key in commit.removedProgress { try ProgressRows.remove(key, over: connection) }
            for sourceID in commit.removedSleep { try SleepRows.remove(sourceID, over: connection) }
            for day in commit.removedSnapshots { try SnapshotRows.remove(day, over: connection) }
            for removed in commit.removed { try RemovedRows.store(removed, over: connection) }
            try ProgressRows.store(progress, derivedBy: commit.metric, over: connection)
            try SleepRows.store(sleep, over: connection)
            try SnapshotRows.store(commit.snapshots, over: connection)
            if try RemovedRows.exist(over: connection) { try Self.forgetTombstones(of: commit, over: connection) }
            _ = try OutboxRows.enqueue(commit.outbox, now: now, over: connection)
            if !commit.tracking.isEmpty || !commit.untracked.isEmpty {
                try CompletePartRows.forget(dependentsOf: commit.metric, over: connection)
            }
            try connection.insert(
                "INSERT OR REPLACE INTO day_tracking (metric, day, digest)",
                rows: commit.tracking.sorted { $0.key < $1.key }.map { [commit.metric.rawValue, $0.key, $0.value] })
            for day in commit.untracked {
                try connection.execute(
                    "DELETE FROM day_tracking WHERE metric = ? AND day = ?", commit.metric.rawValue, day)
            }
        }
    }

    /// Deletes the tombstones of everything that the commit stores.
    private static func forgetTombstones(of commit: SyncCommit, over connection: SQLiteConnection) throws {
        for progress in commit.progress {
            try RemovedRows.forget(progress.record.entryIDs, orderingKey: progress.sourceID, over: connection)
        }
        for sourceID in commit.sleep.map(\.sourceID) + commit.snapshots.map(\.sourceID) {
            try RemovedRows.forget([sourceID], orderingKey: sourceID, over: connection)
        }
    }

    func resend(_ records: ResentRecords) async throws {
        let now = time.now()
        try await writer.write { transaction in
            let connection = transaction.connection
            try CompletePartRows.forgetServers(over: connection)
            for progress in records.progress {
                try connection.execute(
                    "UPDATE daily_progress SET revision = ?3 WHERE metric = ?1 AND day = ?2",
                    progress.record.metric.rawValue, progress.record.day, progress.revision)
            }
            for session in records.sleep {
                try connection.execute(
                    "UPDATE sleep_session SET revision = ?2 WHERE source_id = ?1", session.sourceID, session.revision)
            }
            for snapshot in records.snapshots {
                try connection.execute(
                    "UPDATE activity_snapshot SET revision = ?2 WHERE day = ?1", snapshot.record.day,
                    snapshot.revision)
            }
            for removed in records.removed { try RemovedRows.store(removed, over: connection) }
            _ = try OutboxRows.enqueue(records.outbox, now: now, over: connection)
        }
    }

    func resetTracking(of metric: HealthMetric?, days: DayRange?) async throws -> Int {
        try await writer.write { transaction in
            try transaction.connection.execute(
                """
                DELETE FROM day_tracking
                WHERE (?1 IS NULL OR metric = ?1) AND (?2 IS NULL OR day BETWEEN ?2 AND ?3)
                """, metric?.rawValue, days?.first, days?.last)
            return transaction.connection.changedRows
        }
    }

    func hasNotice(_ notice: Notice) async throws -> Bool {
        try await reader.read { connection in
            try connection.first("SELECT 1 FROM notice WHERE name = ?", notice.rawValue) { _ in true } ?? false
        }
    }

    func removeNotice(_ notice: Notice) async throws {
        try await writer.write { try $0.connection.execute("DELETE FROM notice WHERE name = ?", notice.rawValue) }
    }

    func historyChange() async throws -> HistoryChange? {
        try await reader.read { try HistoryChangeRows.read(over: $0) }
    }

    func concludeHistoryChange(at now: Instant) async throws -> HistoryChange? {
        guard try await reader.read({ try HistoryChangeRows.isPending(over: $0) }) else { return nil }
        return try await writer.write { try HistoryChangeRows.conclude(at: now, over: $0.connection) }
    }

    func completeRules(of part: CompletePart) async throws -> ContentDigest? {
        try await reader.read { try CompletePartRows.rules(of: part, over: $0) }
    }

    func setComplete(_ parts: [CompletePart: ContentDigest]) async throws {
        try await writer.write { try CompletePartRows.store(parts, over: $0.connection) }
    }

    func storedDayZones() async throws -> StoredDayZones? {
        try await reader.read { try StoredDayZonesRow.read(over: $0) }
    }

    func setStoredDayZones(_ counted: StoredDayZones) async throws {
        try await writer.write { try StoredDayZonesRow.store(counted, over: $0.connection) }
    }

    func zoneRules() async throws -> [String: ContentDigest] {
        try await reader.read { try ZoneRows.rules(over: $0) }
    }

    func setZoneRules(_ rules: [String: ContentDigest]) async throws {
        try await writer.write { try ZoneRows.store(rules, over: $0.connection) }
    }

    func zoneEvidence() async throws -> [ZoneEvidence] {
        try await reader.read { try ZoneRows.evidence(over: $0) }
    }

    func setZoneEvidence(_ evidence: ZoneEvidence) async throws {
        try await writer.write { try ZoneRows.store(evidence, over: $0.connection) }
    }
}

/// Rows of `complete_part`. Triggers delete them when a page changes, tracking is reset or the ledger shrinks.
private enum CompletePartRows {
    static func rules(of part: CompletePart, over connection: SQLiteConnection) throws -> ContentDigest? {
        try connection.first("SELECT rules FROM complete_part WHERE part = ?", part.name) { try $0.digest() }
    }

    static func store(_ parts: [CompletePart: ContentDigest], over connection: SQLiteConnection) throws {
        for (part, rules) in parts {
            try connection.execute(
                "INSERT OR REPLACE INTO complete_part (part, rules) VALUES (?, ?)", part.name, rules)
        }
    }

    /// Deletes the rows of servers: stored records or deletions now have other revisions.
    static func forgetServers(over connection: SQLiteConnection) throws {
        try connection.execute("DELETE FROM complete_part WHERE substr(part, 1, 7) = 'server/'")
    }

    /// Deletes the rows that depend on the days of `metric`: the metric, the activity snapshots and the servers.
    static func forget(dependentsOf metric: HealthMetric, over connection: SQLiteConnection) throws {
        try connection.execute(
            """
            DELETE FROM complete_part
            WHERE part IN (?, 'metric/activitySnapshot') OR substr(part, 1, 7) = 'server/'
            """, CompletePart.metric(metric).name)
    }
}

/// The row of `history_change`, and the former figures in `former_figure` until it is concluded.
private enum HistoryChangeRows {
    /// Returns the last concluded change; `nil` if none was found.
    static func read(over connection: SQLiteConnection) throws -> HistoryChange? {
        try connection.first(
            """
            SELECT version, at_ms, nights, figures, metric, day, unit, former, quantity FROM history_change
            WHERE at_ms IS NOT NULL ORDER BY at_ms DESC LIMIT 1
            """
        ) { row in
            let (version, at) = (try row.text(), try row.instant())
            let (nights, figures) = (try row.int(), try row.int())
            return HistoryChange(
                version: version, at: at, nights: nights, figures: figures,
                last: HistoryChange.Figure(
                    metric: HealthMetric(rawValue: try row.text()), day: try row.day(), unit: try row.text(),
                    former: try row.real(), quantity: try row.optional { try $0.real() }))
        }
    }

    /// Returns whether former figures wait for a run that derives all days.
    static func isPending(over connection: SQLiteConnection) throws -> Bool {
        try connection.first("SELECT 1 FROM history_change WHERE at_ms IS NULL") { _ in true } ?? false
    }

    /// Compares the former figures with the current ones, stores what changed, and forgets them. Returns the change;
    /// `nil` if nothing was to be compared or nothing changed.
    ///
    /// The last day of the former figures is left out: it was not over, or more was read of it since.
    static func conclude(at now: Instant, over connection: SQLiteConnection) throws -> HistoryChange? {
        let version = try connection.first("SELECT version FROM history_change WHERE at_ms IS NULL") { try $0.text() }
        guard let version else { return nil }
        let counts = try connection.first(
            "WITH \(changed) SELECT count(*) FILTER (WHERE metric = 'sleep'), count(*) FILTER (WHERE metric <> 'sleep') FROM changed",
            HistoryChange.leastMinutes, HistoryChange.leastShare
        ) { (nights: try $0.int(), figures: try $0.int()) }
        let last = try connection.first(
            """
            WITH \(changed) SELECT metric, day, unit, former, quantity FROM changed
            ORDER BY day DESC, metric = 'sleep' DESC, metric LIMIT 1
            """, HistoryChange.leastMinutes, HistoryChange.leastShare
        ) { row in
            HistoryChange.Figure(
                metric: HealthMetric(rawValue: try row.text()), day: try row.day(), unit: try row.text(),
                former: try row.real(), quantity: try row.optional { try $0.real() })
        }
        try connection.execute("DELETE FROM former_figure")
        guard let counts, let last else {
            try connection.execute("DELETE FROM history_change WHERE version = ?", version)
            return nil
        }
        let change = HistoryChange(
            version: version, at: now, nights: counts.nights, figures: counts.figures, last: last)
        try connection.execute(
            """
            UPDATE history_change SET at_ms = ?2, nights = ?3, figures = ?4, metric = ?5, day = ?6, unit = ?7,
                former = ?8, quantity = ?9
            WHERE version = ?1
            """, version, now, change.nights, change.figures, last.metric.rawValue, last.day, last.unit, last.former,
            last.quantity)
        return change
    }

    private static let changed = """
        compared AS (
            SELECT former.metric, former.day, former.unit, former.quantity AS former,
                CASE former.metric WHEN 'sleep' THEN
                    (SELECT sum(asleep_ms) / 60000.0 FROM sleep_episode
                        WHERE sleep_episode.day = former.day AND role = 'main' AND asleep_ms > 0)
                ELSE (SELECT quantity FROM daily_progress
                    WHERE daily_progress.metric = former.metric AND daily_progress.day = former.day) END AS quantity
            FROM former_figure AS former WHERE former.day < (SELECT max(day) FROM former_figure)),
        changed AS (
            SELECT * FROM compared WHERE quantity IS NULL OR abs(former - quantity)
                >= iif(metric = 'sleep', ?1, ?2 * max(abs(former), abs(quantity)))
                AND former <> quantity)
        """
}

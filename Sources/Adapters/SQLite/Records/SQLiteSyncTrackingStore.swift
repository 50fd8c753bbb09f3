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

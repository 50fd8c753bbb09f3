import HealthSyncDomain
import HealthSyncPorts

/// A tracking store whose commits fail for some metrics.
struct FailingTracking: SyncTrackingStore {
    let store: any SyncTrackingStore
    let failing: Set<HealthMetric>

    func trackedDigests(of metric: HealthMetric, days: DayRange) async throws -> [CalendarDay: ContentDigest] {
        try await store.trackedDigests(of: metric, days: days)
    }

    func progress(derivedBy metric: HealthMetric, days: DayRange) async throws -> [RevisedRecord<DailyProgress>] {
        try await store.progress(derivedBy: metric, days: days)
    }

    func recordRevisions() async throws -> [RecordKey: Int] { try await store.recordRevisions() }

    func sleepSessions(days: DayRange) async throws -> [RevisedRecord<SleepSession>] {
        try await store.sleepSessions(days: days)
    }

    func sleepSessions(withSourceIDs sourceIDs: [String]) async throws -> [RevisedRecord<SleepSession>] {
        try await store.sleepSessions(withSourceIDs: sourceIDs)
    }

    func snapshots(days: DayRange) async throws -> [RevisedRecord<ActivitySnapshot>] {
        try await store.snapshots(days: days)
    }

    func tombstoneRevisions(of orderingKeys: [String]) async throws -> [String: Int] {
        try await store.tombstoneRevisions(of: orderingKeys)
    }

    func renewTombstones(revision: Int) async throws { try await store.renewTombstones(revision: revision) }

    func commit(_ commit: SyncCommit) async throws {
        guard !failing.contains(commit.metric) else {
            throw SyncFailure(.storage, subject: "tracking", reason: "the disk is full", advice: "make room")
        }
        try await store.commit(commit)
    }

    func resend(_ records: ResentRecords) async throws { try await store.resend(records) }

    func resetTracking(of metric: HealthMetric?, days: DayRange?) async throws -> Int {
        try await store.resetTracking(of: metric, days: days)
    }

    func completeRules(of part: CompletePart) async throws -> ContentDigest? {
        try await store.completeRules(of: part)
    }

    func setComplete(_ parts: [CompletePart: ContentDigest]) async throws { try await store.setComplete(parts) }

    func storedDayZones() async throws -> StoredDayZones? { try await store.storedDayZones() }

    func setStoredDayZones(_ counted: StoredDayZones) async throws { try await store.setStoredDayZones(counted) }

    func zoneRules() async throws -> [String: ContentDigest] { try await store.zoneRules() }

    func setZoneRules(_ rules: [String: ContentDigest]) async throws { try await store.setZoneRules(rules) }

    func zoneEvidence() async throws -> [ZoneEvidence] { try await store.zoneEvidence() }

    func setZoneEvidence(_ evidence: ZoneEvidence) async throws { try await store.setZoneEvidence(evidence) }

    func hasNotice(_ notice: Notice) async throws -> Bool { try await store.hasNotice(notice) }

    func removeNotice(_ notice: Notice) async throws { try await store.removeNotice(notice) }

    func historyChange() async throws -> HistoryChange? { try await store.historyChange() }

    func concludeHistoryChange(at now: Instant) async throws -> HistoryChange? {
        try await store.concludeHistoryChange(at: now)
    }
}

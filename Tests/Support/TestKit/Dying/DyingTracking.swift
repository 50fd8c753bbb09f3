import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// A tracking store whose process dies at one of its changes; every later call fails.
final class DyingTracking: SyncTrackingStore {
    private let store: any SyncTrackingStore
    private let fatal: Int
    private let afterCommit: Bool
    private let count = Mutex(0)

    /// Dies at change number `fatal`, counted from 0. If `afterCommit`, that change is still stored.
    init(_ store: any SyncTrackingStore, fatal: Int, afterCommit: Bool) {
        self.store = store
        self.fatal = fatal
        self.afterCommit = afterCommit
    }

    var isDead: Bool { count.withLock { $0 > fatal } }

    private func change(_ body: () async throws -> Void) async throws {
        let number = count.withLock { count in
            count += 1
            return count - 1
        }
        if number < fatal { return try await body() }
        if number == fatal, afterCommit { try await body() }
        throw SyncFailure(.storage, subject: "tracking", reason: "the process died", advice: "")
    }

    func trackedDigests(of metric: HealthMetric, days: DayRange) async throws -> [CalendarDay: ContentDigest] {
        try await store.trackedDigests(of: metric, days: days)
    }

    func progress(derivedBy metric: HealthMetric, days: DayRange) async throws -> [RevisedRecord<DailyProgress>] {
        try await store.progress(derivedBy: metric, days: days)
    }

    func sleepSessions(nights days: DayRange) async throws -> [RevisedRecord<SleepSession>] {
        try await store.sleepSessions(nights: days)
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

    func renewTombstones(revision: Int) async throws {
        try await change { try await store.renewTombstones(revision: revision) }
    }

    func commit(_ commit: SyncCommit) async throws { try await change { try await store.commit(commit) } }

    func resend(_ records: ResentRecords) async throws { try await change { try await store.resend(records) } }

    func resetTracking(of metric: HealthMetric?, days: DayRange?) async throws -> Int {
        try await store.resetTracking(of: metric, days: days)
    }

    func completeRules(of part: CompletePart) async throws -> ContentDigest? {
        try await store.completeRules(of: part)
    }

    func setComplete(_ parts: [CompletePart: ContentDigest]) async throws {
        try await change { try await store.setComplete(parts) }
    }

    func storedDayZones() async throws -> StoredDayZones? { try await store.storedDayZones() }

    func setStoredDayZones(_ counted: StoredDayZones) async throws {
        try await change { try await store.setStoredDayZones(counted) }
    }

    func zoneRules() async throws -> [String: ContentDigest] { try await store.zoneRules() }

    func setZoneRules(_ rules: [String: ContentDigest]) async throws {
        try await change { try await store.setZoneRules(rules) }
    }

    func zoneEvidence() async throws -> [ZoneEvidence] { try await store.zoneEvidence() }

    func setZoneEvidence(_ evidence: ZoneEvidence) async throws {
        try await change { try await store.setZoneEvidence(evidence) }
    }
}

package import HealthSyncDomain
package import HealthSyncPorts

/// A tracking store whose process dies at one of its changes; every later change fails.
package final class DyingTracking: SyncTrackingStore {
    private let store: any SyncTrackingStore
    private let fuse: Fuse

    /// Dies with the other stores of `fuse`.
    package init(_ store: any SyncTrackingStore, fuse: Fuse) {
        self.store = store
        self.fuse = fuse
    }

    /// Dies at change number `fatal`, counted from 0. If `afterCommit`, that change is still stored.
    package convenience init(_ store: any SyncTrackingStore, fatal: Int, afterCommit: Bool) {
        self.init(store, fuse: Fuse(fatal: fatal, afterCommit: afterCommit))
    }

    package var isDead: Bool { fuse.isBlown }

    private func change<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try await fuse.change(of: "tracking", body)
    }

    package func trackedDigests(of metric: HealthMetric, days: DayRange) async throws -> [CalendarDay: ContentDigest] {
        try await store.trackedDigests(of: metric, days: days)
    }

    package func progress(derivedBy metric: HealthMetric, days: DayRange) async throws -> [RevisedRecord<DailyProgress>]
    {
        try await store.progress(derivedBy: metric, days: days)
    }

    package func recordRevisions() async throws -> [RecordKey: Int] { try await store.recordRevisions() }

    package func sleepSessions(days: DayRange) async throws -> [RevisedRecord<SleepSession>] {
        try await store.sleepSessions(days: days)
    }

    package func sleepSessions(withSourceIDs sourceIDs: [String]) async throws -> [RevisedRecord<SleepSession>] {
        try await store.sleepSessions(withSourceIDs: sourceIDs)
    }

    package func snapshots(days: DayRange) async throws -> [RevisedRecord<ActivitySnapshot>] {
        try await store.snapshots(days: days)
    }

    package func tombstoneRevisions(of orderingKeys: [String]) async throws -> [String: Int] {
        try await store.tombstoneRevisions(of: orderingKeys)
    }

    package func renewTombstones(revision: Int) async throws {
        try await change { try await store.renewTombstones(revision: revision) }
    }

    package func commit(_ commit: SyncCommit) async throws { try await change { try await store.commit(commit) } }

    package func resend(_ records: ResentRecords) async throws { try await change { try await store.resend(records) } }

    package func resetTracking(of metric: HealthMetric?, days: DayRange?) async throws -> Int {
        try await store.resetTracking(of: metric, days: days)
    }

    package func completeRules(of part: CompletePart) async throws -> ContentDigest? {
        try await store.completeRules(of: part)
    }

    package func setComplete(_ parts: [CompletePart: ContentDigest]) async throws {
        try await change { try await store.setComplete(parts) }
    }

    package func storedDayZones() async throws -> StoredDayZones? { try await store.storedDayZones() }

    package func setStoredDayZones(_ counted: StoredDayZones) async throws {
        try await change { try await store.setStoredDayZones(counted) }
    }

    package func zoneRules() async throws -> [String: ContentDigest] { try await store.zoneRules() }

    package func setZoneRules(_ rules: [String: ContentDigest]) async throws {
        try await change { try await store.setZoneRules(rules) }
    }

    package func zoneEvidence() async throws -> [ZoneEvidence] { try await store.zoneEvidence() }

    package func setZoneEvidence(_ evidence: ZoneEvidence) async throws {
        try await change { try await store.setZoneEvidence(evidence) }
    }

    package func hasNotice(_ notice: Notice) async throws -> Bool { try await store.hasNotice(notice) }

    package func removeNotice(_ notice: Notice) async throws { try await store.removeNotice(notice) }

    package func historyChange() async throws -> HistoryChange? { try await store.historyChange() }

    package func concludeHistoryChange(at now: Instant) async throws -> HistoryChange? {
        try await change { try await store.concludeHistoryChange(at: now) }
    }
}

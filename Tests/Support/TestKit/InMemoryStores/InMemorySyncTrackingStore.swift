package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// An in-memory store of derived records and their tracking.
package struct InMemorySyncTrackingStore: SyncTrackingStore {
    let stores: InMemoryStores

    package func trackedDigests(
        of metric: HealthMetric, days: DayRange
    ) async throws -> [CalendarDay: ContentDigest] {
        stores.state.withLock { state in
            var digests: [CalendarDay: ContentDigest] = [:]
            for (key, digest) in state.tracking where key.metric == metric && days.contains(key.day) {
                digests[key.day] = digest
            }
            return digests
        }
    }

    package func progress(
        derivedBy metric: HealthMetric, days: DayRange
    ) async throws -> [RevisedRecord<DailyProgress>] {
        stores.state.withLock { state in
            state.progress.values
                .filter { $0.derivedBy == metric && days.contains($0.revised.record.day) }
                .map(\.revised)
                .sorted { ($0.record.day, $0.record.metric) < ($1.record.day, $1.record.metric) }
        }
    }

    package func sleepSessions(days: DayRange) async throws -> [RevisedRecord<SleepSession>] {
        stores.state.withLock { state in
            state.sleep.values
                .filter { days.contains($0.record.day) }
                .sorted {
                    ($0.record.day, $0.record.interval.start, $0.sourceID)
                        < ($1.record.day, $1.record.interval.start, $1.sourceID)
                }
        }
    }

    package func recordRevisions() async throws -> [RecordKey: Int] {
        stores.state.withLock { state in
            var revisions: [RecordKey: Int] = [:]
            for progress in state.progress.values {
                let record = progress.revised.record
                revisions[RecordKey(metric: record.metric, day: record.day)] = progress.revised.revision
            }
            for (id, session) in state.sleep {
                revisions[RecordKey(metric: .sleep, day: session.record.day, session: id)] = session.revision
            }
            for (day, snapshot) in state.snapshots {
                revisions[RecordKey(metric: nil, day: day)] = snapshot.revision
            }
            return revisions
        }
    }

    package func sleepSessions(withSourceIDs sourceIDs: [String]) async throws -> [RevisedRecord<SleepSession>] {
        stores.state.withLock { state in sourceIDs.compactMap { state.sleep[$0] } }
    }

    package func snapshots(days: DayRange) async throws -> [RevisedRecord<ActivitySnapshot>] {
        stores.state.withLock { state in
            state.snapshots.filter { days.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    package func tombstoneRevisions(of orderingKeys: [String]) async throws -> [String: Int] {
        stores.state.withLock { state in
            let chosen = state.removed.values.filter { orderingKeys.contains($0.orderingKey) }
            return Dictionary(chosen.map { ($0.orderingKey, $0.revision) }, uniquingKeysWith: max)
        }
    }

    package func renewTombstones(revision: Int) async throws {
        stores.state.withLock { state in
            for (id, removed) in state.removed { state.removed[id]?.revision = max(removed.revision + 1, revision) }
        }
    }

    package func commit(_ commit: SyncCommit) async throws {
        try commit.requireDistinctSessions()
        let now = stores.time.now()
        stores.state.withLock { state in
            for key in commit.removedProgress { state.progress[key] = nil }
            for sourceID in commit.removedSleep { state.sleep[sourceID] = nil }
            for day in commit.removedSnapshots { state.snapshots[day] = nil }
            for removed in commit.removed { state.remember(removed) }
            for revised in commit.progress {
                let key = ProgressKey(metric: revised.record.metric, day: revised.record.day)
                state.progress[key] = .init(derivedBy: commit.metric, revised: revised)
                for id in revised.record.entryIDs { state.removed[id] = nil }
            }
            for revised in commit.sleep {
                state.sleep[revised.sourceID] = revised
                state.removed[revised.sourceID] = nil
            }
            for revised in commit.snapshots {
                state.snapshots[revised.record.day] = revised
                state.removed[revised.sourceID] = nil
            }
            _ = state.outbox.enqueue(commit.outbox, now: now)
            for (day, digest) in commit.tracking { state.tracking[.init(metric: commit.metric, day: day)] = digest }
            for day in commit.untracked { state.tracking[.init(metric: commit.metric, day: day)] = nil }
            if !commit.tracking.isEmpty || !commit.untracked.isEmpty {
                state.endComplete(whatFollowsFrom: commit.metric)
            }
        }
    }

    package func resend(_ records: ResentRecords) async throws {
        let now = stores.time.now()
        stores.state.withLock { state in
            for revised in records.progress {
                let key = ProgressKey(metric: revised.record.metric, day: revised.record.day)
                state.progress[key]?.revised.revision = revised.revision
            }
            for revised in records.sleep { state.sleep[revised.sourceID]?.revision = revised.revision }
            for revised in records.snapshots { state.snapshots[revised.record.day]?.revision = revised.revision }
            for removed in records.removed { state.remember(removed) }
            _ = state.outbox.enqueue(records.outbox, now: now)
        }
    }

    package func resetTracking(of metric: HealthMetric?, days: DayRange?) async throws -> Int {
        stores.state.withLock { state in
            let forgotten = state.tracking.keys.filter {
                (metric == nil || $0.metric == metric) && (days?.contains($0.day) ?? true)
            }
            for key in forgotten {
                state.tracking[key] = nil
                state.endComplete(whatFollowsFrom: key.metric)
            }
            return forgotten.count
        }
    }

    package func completeRules(of part: CompletePart) async throws -> ContentDigest? {
        stores.state.withLock { $0.complete[part] }
    }

    package func setComplete(_ parts: [CompletePart: ContentDigest]) async throws {
        stores.state.withLock { $0.complete.merge(parts, uniquingKeysWith: { _, new in new }) }
    }

    package func storedDayZones() async throws -> StoredDayZones? { stores.state.withLock { $0.storedDayZones } }

    package func setStoredDayZones(_ counted: StoredDayZones) async throws {
        stores.state.withLock { $0.storedDayZones = counted }
    }

    package func zoneRules() async throws -> [String: ContentDigest] { stores.state.withLock { $0.zoneRules } }

    package func setZoneRules(_ rules: [String: ContentDigest]) async throws {
        stores.state.withLock { $0.zoneRules.merge(rules) { $1 } }
    }

    package func zoneEvidence() async throws -> [ZoneEvidence] {
        stores.state.withLock { state in
            state.zoneEvidence.sorted { $0.key < $1.key }.map { ZoneEvidence(provider: $0, offsets: $1) }
        }
    }

    package func setZoneEvidence(_ evidence: ZoneEvidence) async throws {
        stores.state.withLock { $0.zoneEvidence[evidence.provider] = evidence.offsets }
    }

    package func hasNotice(_ notice: Notice) async throws -> Bool {
        stores.state.withLock { $0.notices.contains(notice) }
    }

    package func removeNotice(_ notice: Notice) async throws {
        _ = stores.state.withLock { $0.notices.remove(notice) }
    }

    /// A new store never has figures of another version.
    package func historyChange() async throws -> HistoryChange? { nil }

    package func concludeHistoryChange(at now: Instant) async throws -> HistoryChange? { nil }
}

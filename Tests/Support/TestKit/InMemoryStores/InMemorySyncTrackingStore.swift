package import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// What was derived and from what, in memory.
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

    package func sleepSessions(nights days: DayRange) async throws -> [RevisedRecord<SleepSession>] {
        stores.state.withLock { state in
            state.sleep.values
                .filter { days.contains($0.record.night) }
                .sorted {
                    ($0.record.night, $0.record.interval.start, $0.sourceID)
                        < ($1.record.night, $1.record.interval.start, $1.sourceID)
                }
        }
    }

    package func snapshots(days: DayRange) async throws -> [RevisedRecord<ActivitySnapshot>] {
        stores.state.withLock { state in
            state.snapshots.filter { days.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    package func removedRevisions(of sourceIDs: [String]) async throws -> [String: Int] {
        stores.state.withLock { state in state.removed.filter { sourceIDs.contains($0.key) } }
    }

    package func commit(_ commit: SyncCommit) async throws {
        let now = stores.time.now()
        stores.state.withLock { state in
            for key in commit.removedProgress {
                guard let old = state.progress.removeValue(forKey: key)?.revised else { continue }
                state.removed[old.sourceID] = old.revision + 1
            }
            for tombstone in commit.removedSleep {
                state.sleep[tombstone.sourceID] = nil
                state.removed[tombstone.sourceID] = max(
                    tombstone.revision, state.removed[tombstone.sourceID] ?? tombstone.revision)
            }
            for day in commit.removedSnapshots {
                guard let old = state.snapshots.removeValue(forKey: day) else { continue }
                state.removed[old.sourceID] = old.revision + 1
            }
            for revised in commit.progress {
                let key = ProgressKey(metric: revised.record.metric, day: revised.record.day)
                state.progress[key] = .init(derivedBy: commit.metric, revised: revised)
                state.removed[revised.sourceID] = nil
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
        }
    }

    package func resetTracking(of metric: HealthMetric?, days: DayRange?) async throws -> Int {
        stores.state.withLock { state in
            let forgotten = state.tracking.keys.filter {
                (metric == nil || $0.metric == metric) && (days?.contains($0.day) ?? true)
            }
            for key in forgotten { state.tracking[key] = nil }
            return forgotten.count
        }
    }

    package func countedDays() async throws -> CountedDays? { stores.state.withLock { $0.countedDays } }

    package func setCountedDays(_ counted: CountedDays) async throws {
        stores.state.withLock { $0.countedDays = counted }
    }
}

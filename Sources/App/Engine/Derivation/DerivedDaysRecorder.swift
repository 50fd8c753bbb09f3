import HealthSyncDomain
import HealthSyncPorts

/// Stores the results of a handler in one transaction: the records that differ from the stored ones, under the same id with
/// the next revision, tombstones of deleted records, the outbox items and the tracking state.
struct DerivedDaysRecorder: Sendable {
    let metric: HealthMetric
    let request: SyncRequest
    let ports: EnginePorts

    /// Stores `derived` for `days`, which must ascend. Returns the number of changed records.
    func store(
        _ derived: DerivedDays, of days: [CalendarDay], digests: [CalendarDay: ContentDigest]
    ) async throws -> Int {
        var commit = SyncCommit(metric: metric)
        let ranges = DerivationBatch.ranges(of: days).map(\.range)
        for day in days { commit.tracking[day] = digests[day] }
        let revisions = RevisionClock(ports.time)
        try await addProgress(derived.progress, days: Set(days), in: ranges, revisions, to: &commit)
        if metric == .sleep || !derived.sleepSessions.isEmpty {
            try await addSleep(derived.sleepSessions, days: Set(days), in: ranges, revisions, to: &commit)
        }
        commit.untracked = days.filter { digests[$0] == nil }
        if let server = ports.server {
            commit.enqueue(for: server, former: try await ports.outbox.formerDelivery(of: server.address))
        }
        try await ports.tracking.commit(commit)
        return commit.progress.count + commit.removedProgress.count + commit.sleep.count + commit.removedSleep.count
    }

    private func addProgress(
        _ derived: [DailyProgress], days: Set<CalendarDay>, in ranges: [DayRange], _ revisions: RevisionClock,
        to commit: inout SyncCommit
    ) async throws {
        var stored: [RevisedRecord<DailyProgress>] = []
        for range in ranges {
            stored += try await ports.tracking.progress(derivedBy: metric, days: range)
                .filter { days.contains($0.record.day) }
        }
        var old = Dictionary(uniqueKeysWithValues: stored.map { (ProgressKey($0.record), $0) })
        let new = derived.filter { days.contains($0.day) }
        let changed = new.filter { request.force || old[ProgressKey($0)]?.record != $0 }
        let removed = try await ports.tracking.tombstoneRevisions(of: changed.map { ProgressKey($0).sourceID })
        for progress in changed {
            let id = ProgressKey(progress).sourceID
            let before = old[ProgressKey(progress)]
            let revision = revisions.next(after: before?.revision, removed[id])
            commit.progress.append(RevisedRecord(progress, sourceID: id, revision: revision))
            if let before { commit.addTombstones(of: before, except: progress.entryIDs, revision: revision) }
        }
        for progress in new { old[ProgressKey(progress)] = nil }
        for (key, gone) in old.sorted(by: { $0.value.sourceID < $1.value.sourceID }) {
            commit.removedProgress.append(key)
            commit.addTombstones(of: gone, except: [], revision: revisions.next(after: gone.revision))
        }
    }

    private func addSleep(
        _ derived: [SleepSession], days: Set<CalendarDay>, in ranges: [DayRange], _ revisions: RevisionClock,
        to commit: inout SyncCommit
    ) async throws {
        var stored: [RevisedRecord<SleepSession>] = []
        for range in ranges {
            stored += try await ports.tracking.sleepSessions(days: range).filter { days.contains($0.record.day) }
        }
        let match = SleepSessionMatch(stored: stored, derived: derived.filter { days.contains($0.day) })
        for (session, before) in match.kept where request.force || before.record != session {
            commit.sleep.append(
                RevisedRecord(
                    session, sourceID: before.sourceID, revision: revisions.next(after: before.revision)))
        }
        let kept = Set(match.kept.map(\.stored.sourceID))
        let places = try await SleepSessionIDs(ports: ports, days: days).places(for: match.added, taken: kept)
        for (session, place) in zip(match.added, places) {
            commit.sleep.append(
                RevisedRecord(session, sourceID: place.sourceID, revision: revisions.next(after: place.revision)))
        }
        let written = Set(commit.sleep.map(\.sourceID))
        for gone in match.vanished where !written.contains(gone.sourceID) {
            commit.removedSleep.append(gone.sourceID)
            commit.removed.append(
                Tombstone(gone.sourceID, kind: .sleep, revision: revisions.next(after: gone.revision)))
        }
    }
}

extension SyncCommit {
    /// Adds tombstones of the entries of `progress` that are not in `remaining`.
    fileprivate mutating func addTombstones(
        of progress: RevisedRecord<DailyProgress>, except remaining: [String], revision: Int
    ) {
        let remaining = Set(remaining)
        for id in progress.record.entryIDs where !remaining.contains(id) {
            removed.append(
                Tombstone(
                    sourceID: id, kind: .progress, revision: revision, orderingKey: progress.sourceID))
        }
    }
}

extension ProgressKey {
    init(_ progress: DailyProgress) { self.init(metric: progress.metric, day: progress.day) }

    /// The id of the stored figures of the day.
    var sourceID: String { "\(metric)/\(day)" }
}

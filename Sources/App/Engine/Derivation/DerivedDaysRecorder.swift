import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// Stores what a handler derived: only what differs from what is stored, under the same id with the next revision, with
/// what is to be sent of it and the tracking state, in one transaction.
struct DerivedDaysRecorder: Sendable {
    let metric: HealthMetric
    let request: SyncRequest
    let ports: EnginePorts

    /// Stores `derived` for `days`; returns how many records differ from what was stored.
    func store(
        _ derived: DerivedDays, of days: DayRange, digests: [CalendarDay: ContentDigest]
    ) async throws -> Int {
        var commit = SyncCommit(metric: metric)
        for day in days { commit.tracking[day] = digests[day] }
        try await addProgress(derived.progress, days: days, to: &commit)
        if metric == .sleep || !derived.sleepSessions.isEmpty {
            try await addSleep(derived.sleepSessions, days: days, to: &commit)
        }
        commit.untracked = days.filter { digests[$0] == nil }
        try await ports.tracking.commit(commit)
        return commit.progress.count + commit.removedProgress.count + commit.sleep.count + commit.removedSleep.count
    }

    private func addProgress(_ derived: [DailyProgress], days: DayRange, to commit: inout SyncCommit) async throws {
        let stored = try await ports.tracking.progress(derivedBy: metric, days: days)
        var old = Dictionary(uniqueKeysWithValues: stored.map { (ProgressKey($0.record), $0) })
        let new = derived.filter { days.contains($0.day) }
        let known = Set(old.keys)
        let fresh = new.map(ProgressKey.init).filter { !known.contains($0) }.map(\.sourceID)
        let removed = stored.isEmpty && fresh.isEmpty ? [:] : try await ports.tracking.removedRevisions(of: fresh)
        for progress in new {
            let key = ProgressKey(progress)
            let before = old.removeValue(forKey: key)
            if before?.record == progress && !request.force { continue }
            let revision = nextRevision(before, changed: before?.record != progress, removed: removed[key.sourceID])
            let record = RevisedRecord(progress, sourceID: key.sourceID, revision: revision)
            commit.progress.append(record)
            enqueue(record, replacing: before?.record, into: &commit)
        }
        for (key, gone) in old.sorted(by: { $0.value.sourceID < $1.value.sourceID }) {
            commit.removedProgress.append(key)
            enqueueRemoval(of: gone, into: &commit)
        }
    }

    private func addSleep(_ derived: [SleepSession], days: DayRange, to commit: inout SyncCommit) async throws {
        let stored = try await ports.tracking.sleepSessions(nights: days)
        let match = SleepSessionMatch(stored: stored, derived: derived.filter { days.contains($0.night) })
        let newIDs = match.added.map { sourceID(of: $0) }
        let removed = newIDs.isEmpty ? [:] : try await ports.tracking.removedRevisions(of: newIDs)
        var records = match.kept.compactMap { session, stored -> RevisedRecord<SleepSession>? in
            let changed = stored.record != session
            guard changed || request.force else { return nil }
            return RevisedRecord(
                session, sourceID: stored.sourceID,
                revision: nextRevision(stored, changed: changed, removed: nil))
        }
        for (session, id) in zip(match.added, newIDs) {
            records.append(
                RevisedRecord(
                    session, sourceID: id,
                    revision: (removed[id] ?? 0) + 1))
        }
        commit.sleep = records
        commit.removedSleep = match.vanished.map {
            RevisedRecord($0.sourceID, sourceID: $0.sourceID, revision: $0.revision + 1)
        }
        guard let encoder = ports.server?.encoder else { return }
        commit.outbox += records.map { encoder.item(for: $0) }
        commit.outbox += commit.removedSleep.map {
            encoder.tombstone($0.sourceID, kind: .sleep, revision: $0.revision)
        }
    }

    private func nextRevision<Record>(_ before: RevisedRecord<Record>?, changed: Bool, removed: Int?) -> Int {
        if let before { return changed ? before.revision + 1 : before.revision }
        return removed.map { $0 + 1 } ?? 1
    }

    private func enqueue(
        _ record: RevisedRecord<DailyProgress>, replacing before: DailyProgress?, into commit: inout SyncCommit
    ) {
        guard let encoder = ports.server?.encoder else { return }
        let remaining = Set(encoder.entryIDs(of: record.record))
        let gone = before.map { encoder.entryIDs(of: $0).filter { !remaining.contains($0) } } ?? []
        commit.outbox += encoder.items(for: record, removed: gone)
    }

    private func enqueueRemoval(of gone: RevisedRecord<DailyProgress>, into commit: inout SyncCommit) {
        guard let encoder = ports.server?.encoder else { return }
        commit.outbox += encoder.removal(
            of: RevisedRecord(gone.record, sourceID: gone.sourceID, revision: gone.revision + 1))
    }

    /// A session's id follows from who recorded it and when it began when it was first seen; it keeps the id afterwards.
    private func sourceID(of session: SleepSession) -> String {
        let name = "sleep\u{1F}\(session.origin.recorder)\u{1F}\(session.interval.start.milliseconds)"
        let bytes = SampleID.namespace + Array(name.utf8)
        return SampleID(version5: bytes.withUnsafeBytes { ports.hasher.sha1Prefix($0) }).description
    }
}

extension ProgressKey {
    init(_ progress: DailyProgress) { self.init(metric: progress.metric, day: progress.day) }

    /// The id under which the day's figures are stored.
    var sourceID: String { "\(metric)/\(day)" }
}

import Foundation
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

    /// Adds what the commit stores and deletes to the outbox, deletions last, without what the `former` delivery omits.
    mutating func enqueue(for destination: HealthDestination, former: FormerDelivery? = nil) {
        outbox += progress.filter { former?.offers($0.record.metric, on: $0.record.day) ?? true }
            .map { destination.item(for: $0) }
        outbox += sleep.map { destination.item(for: $0) }
        outbox += snapshots.map { destination.item(for: $0) }
        outbox += removed.map { destination.tombstone($0) }
    }
}

extension ProgressKey {
    init(_ progress: DailyProgress) { self.init(metric: progress.metric, day: progress.day) }

    /// The id of the stored figures of the day.
    var sourceID: String { "\(metric)/\(day)" }
}

/// How days that changed are read and stored together.
enum DerivationBatch {
    /// The number of days after which results are stored: enough that the sync of a transaction costs little, few enough
    /// that an interrupted run loses little.
    static let days = 366
    /// Changed days with at most this many others between them are read together, because a read costs more than the
    /// records of some days.
    static let bridgedDays = 7

    /// Returns the ranges in which `changed`, which must ascend, are read, each with its changed days.
    static func ranges(of changed: [CalendarDay]) -> [(range: DayRange, days: [CalendarDay])] {
        var rest = changed[...]
        return DayRange.runs(of: changed, atMost: days, bridging: bridgedDays).map { range in
            let own = rest.prefix { $0 <= range.last }
            rest = rest.dropFirst(own.count)
            return (range, Array(own))
        }
    }
}

/// Assigns revisions: above every known revision of a record, and at least the milliseconds since 1970, so that a record
/// outranks those that were delivered from a database that has since been lost or restored from a backup.
struct RevisionClock: Sendable {
    /// The largest revision, 2^53 − 1: servers and the local store accept no larger one.
    static let largest = (1 << 53) - 1

    private let least: Int

    init(_ time: any TimeSource) { least = max(1, Int(time.now().milliseconds)) }

    /// Returns the revision that follows those in `known`.
    func next(after known: Int?...) -> Int {
        max(least, min(known.compactMap { $0 }.max() ?? 0, Self.largest - 1) + 1)
    }
}

/// Assigns ids to new sessions.
///
/// An id follows from the recorder and the start of the session when it was first seen. If another existing session has
/// that id, an ordinal is added until an id is free. If the session is already stored under the id, but for a day to
/// which it no longer belongs, it keeps the id.
private struct SleepSessionIDs: Sendable {
    let ports: EnginePorts
    /// The days that are stored in one transaction. The ids of their remaining sessions are in `taken`.
    let days: Set<CalendarDay>

    /// An id, and what is known of it.
    struct Place: Sendable, Hashable {
        var sourceID: String
        /// The highest known revision of the id.
        var revision: Int?
    }

    /// Returns an id that is not in `taken` for each of `sessions`, in order.
    func places(for sessions: [SleepSession], taken: Set<String>) async throws -> [Place] {
        var taken = taken
        var places: [Int: Place] = [:]
        var waiting = Array(sessions.indices)
        var ordinal = 0
        while !waiting.isEmpty {
            let ids = waiting.map { id(of: sessions[$0], ordinal: ordinal) }
            let live = Dictionary(
                try await ports.tracking.sleepSessions(withSourceIDs: ids).map { ($0.sourceID, $0) },
                uniquingKeysWith: { first, _ in first })
            let removed = try await ports.tracking.tombstoneRevisions(of: ids)
            var conflicting: [Int] = []
            for (index, id) in zip(waiting, ids) {
                let stored = live[id]
                if taken.contains(id) || stored.map({ isOther($0.record, than: sessions[index]) }) ?? false {
                    conflicting.append(index)
                } else {
                    taken.insert(id)
                    let known = [stored?.revision, removed[id]].compactMap { $0 }.max()
                    places[index] = Place(sourceID: id, revision: known)
                }
            }
            waiting = conflicting
            ordinal += 1
        }
        return sessions.indices.compactMap { places[$0] }
    }

    /// Returns whether `stored` is another session than `session`, and of a day that is not being stored.
    private func isOther(_ stored: SleepSession, than session: SleepSession) -> Bool {
        !days.contains(stored.day) && !SleepSessionMatch.isSame(stored, session)
    }

    private func id(of session: SleepSession, ordinal: Int) -> String {
        var name = "sleep\u{1F}\(session.origin.recorder)\u{1F}\(session.interval.start.milliseconds)"
        if ordinal > 0 { name += "\u{1F}\(ordinal)" }
        let bytes = SampleID.namespace + Array(name.utf8)
        return SampleID(version5: bytes.withUnsafeBytes { ports.hasher.sha1Prefix($0) }).description
    }
}

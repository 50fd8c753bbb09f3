import HealthSyncDomain
import HealthSyncPorts

/// The consequences of new intervals for the servers that have the old ones. If a server has an interval completely,
/// only new and altered samples are sent; otherwise the whole interval is.
struct LayeringChange: Sendable {
    let type: SampleType
    let rule: LayeringRule
    let generation: Int
    let old: IntervalSequence
    let new: [SyncInterval]
    let samples: ChangedSamples
    /// Whether each old interval is synced, by server and start.
    let deliveries: [String: [Instant: Bool]]
    let revisions: [SampleID: SampleRevision]

    func commit() -> LayeringCommit {
        var commit = LayeringCommit(type: type, rule: rule)
        commit.settlesChangedPages = true
        let known = Set(old.intervals)
        let starts = Set(new.map(\.interval.start))
        commit.removed = old.intervals.map(\.interval.start).filter { !starts.contains($0) }
        commit.intervals = new.filter { !known.contains($0) }
        let fresh = freshByInterval()
        let changed = new.filter { !known.contains($0) || fresh[$0.interval.start] != nil }
        for (destination, delivered) in deliveries.sorted(by: { $0.key < $1.key }) {
            for interval in changed {
                send(interval, fresh[interval.interval.start] ?? [], to: destination, delivered, into: &commit)
            }
        }
        revise(&commit)
        return commit
    }

    private func freshByInterval() -> [Instant: [SampleID]] {
        let intervals = IntervalSequence(intervals: new)
        var fresh: [Instant: [SampleID]] = [:]
        for (id, start) in samples.fresh {
            if let leaf = intervals.containing(start) { fresh[leaf.interval.start, default: []].append(id) }
        }
        return fresh.mapValues { $0.sorted { ($0.high, $0.low) < ($1.high, $1.low) } }
    }

    private func send(
        _ interval: SyncInterval, _ fresh: [SampleID], to destination: String, _ delivered: [Instant: Bool],
        into commit: inout LayeringCommit
    ) {
        let before = old.overlapping(interval.interval)
        guard before.contains(where: { delivered[$0.interval.start] != nil }) else { return }
        let key = IntervalKey(destination: destination, start: interval.interval.start)
        let hasAll = before.allSatisfy { $0.figures.sampleCount == 0 || delivered[$0.interval.start] == true }
        let count = interval.figures.sampleCount
        if hasAll, fresh.isEmpty || count == 0 {
            commit.synced.append(key)
        } else if hasAll, fresh.count < count {
            commit.outbox.append(slice(interval, destination, only: fresh))
        } else {
            commit.superseded += before.map { IntervalKey(destination: destination, start: $0.interval.start) }
            if count == 0 {
                commit.synced.append(key)
            } else {
                commit.outbox.append(slice(interval, destination))
            }
        }
    }

    private func slice(_ interval: SyncInterval, _ destination: String, only: [SampleID] = []) -> NewOutboxItem {
        .slice(of: interval, type: type, destination: destination, generation: generation, only: only)
    }

    /// Adds a deletion with a higher revision for each deleted sample, and raises the revisions of altered and
    /// restored samples.
    private func revise(_ commit: inout LayeringCommit) {
        for id in samples.fresh.keys.sorted(by: { ($0.high, $0.low) < ($1.high, $1.low) })
        where samples.altered.contains(id) || revisions[id] != nil {
            commit.revisions.append(
                SampleRevision(id: id, revision: (revisions[id]?.revision ?? 0) + 1, isDeleted: false))
        }
        for (id, start) in samples.vanished.sorted(by: { ($0.key.high, $0.key.low) < ($1.key.high, $1.key.low) }) {
            guard let leaf = old.containing(start) else { continue }
            let offered = deliveries.filter { $0.value[leaf.interval.start] != nil }.keys.sorted()
            guard !offered.isEmpty else { continue }
            let revision = (revisions[id]?.revision ?? 0) + 1
            commit.revisions.append(SampleRevision(id: id, revision: revision, isDeleted: true))
            commit.outbox += offered.map { destination in
                NewOutboxItem.tombstone(of: id, type: type, destination: destination, revision: revision)
            }
        }
    }
}

extension NewOutboxItem {
    /// Returns the item for all samples of an interval, or for those in `only`. The generation of the commit makes
    /// its key unique.
    static func slice(
        of interval: SyncInterval, type: SampleType, destination: String, generation: Int, only: [SampleID] = []
    ) -> NewOutboxItem {
        let grid = interval.interval
        return NewOutboxItem(
            destination: destination, kind: .samples(of: type),
            dedupKey: "\(RFC3339.string(grid.start)) + \(grid.seconds) s, \(generation)",
            slice: SampleSlice(
                interval: grid, count: only.isEmpty ? interval.figures.sampleCount : only.count, only: only))
    }

    /// Returns the item that deletes a sample.
    static func tombstone(
        of id: SampleID, type: SampleType, destination: String, revision: Int
    ) -> NewOutboxItem {
        NewOutboxItem(
            destination: destination, kind: .samples(of: type), dedupKey: "\(id)@\(revision)", orderingKey: "\(id)",
            revision: revision, isTombstone: true, payload: [], recordIDs: ["\(id)"])
    }
}

import HealthSyncDomain
import HealthSyncPorts

extension InMemoryState {
    /// Stores a commit. Returns the number of new outbox items.
    mutating func store(_ commit: LayeringCommit, now: Instant) -> Int {
        guard types[commit.type] != nil else { return 0 }
        let kind = RecordKind.samples(of: commit.type)
        var layering =
            self.layering[commit.type] ?? InMemoryLayering(state: LayeredType(rule: commit.rule, generation: 0))
        layering.state = LayeredType(rule: commit.rule, generation: layering.state.generation + 1)
        for key in commit.superseded { removeWaiting(kind: kind, key: key) }
        for start in commit.removed {
            layering.intervals[start] = nil
            layering.deliveries = layering.deliveries.filter { $0.key.start != start }
        }
        for interval in commit.intervals { layering.intervals[interval.interval.start] = interval }
        let added = outbox.enqueue(commit.outbox, now: now)
        for item in commit.outbox {
            guard let slice = item.slice else { continue }
            layering.deliveries[IntervalKey(destination: item.destination, start: slice.interval.start)] =
                .some(nil)
        }
        for key in commit.synced where (layering.deliveries[key] ?? nil) == nil {
            layering.deliveries[key] = .some(now)
        }
        for revision in commit.revisions { revisions[commit.type, default: [:]][revision.id] = revision }
        if commit.settlesChangedPages { layering.before = [:] }
        self.layering[commit.type] = layering
        return added
    }

    /// Removes the items of an interval that are not frozen.
    mutating func removeWaiting(kind: RecordKind, key: IntervalKey) {
        for entry in outbox.slices(kind: kind, key: key) where entry.batchID == nil {
            outbox.entries[entry.item.id] = nil
        }
    }
}

import HealthSyncDomain
import HealthSyncPorts

/// The intervals of one type and their delivery.
struct InMemoryLayering: Sendable {
    var state: LayeredType
    var intervals: [Instant: SyncInterval] = [:]
    /// The time at which each interval was synced, by server and start; `nil` if it is not synced.
    var deliveries: [IntervalKey: Instant?] = [:]
    var before: [InMemoryState.ProviderKey: [UInt8]?] = [:]
}

extension InMemoryState {
    /// Records the content of a page of a divided type before its first change.
    mutating func noteChange(_ key: ProviderKey) {
        guard let layering = layering[key.key.type], layering.before[key] == nil else { return }
        self.layering[key.key.type]?.before[key] = .some(pages[key]?.bytes)
    }

    /// Marks the intervals of settled slices that have no items left in the outbox.
    mutating func markSynced(_ settled: [NewOutboxItem], now: Instant) {
        for item in settled {
            guard let start = item.slice?.interval.start else { continue }
            let key = IntervalKey(destination: item.destination, start: start)
            let isLeft = outbox.slices(kind: item.kind, key: key).isEmpty == false
            guard !isLeft, let type = layering.keys.first(where: { RecordKind.samples(of: $0) == item.kind }),
                layering[type]?.deliveries[key] != nil
            else { continue }
            layering[type]?.deliveries[key] = .some(now)
        }
    }
}

extension InMemoryOutbox {
    /// Returns the items with samples of an interval.
    func slices(kind: RecordKind, key: IntervalKey) -> [Entry] {
        entries.values.filter { entry in
            entry.item.content.kind == kind && entry.item.content.destination == key.destination
                && entry.item.content.slice?.interval.start == key.start
        }
    }

    /// Settles an item with samples.
    mutating func settle(
        _ id: Int64, _ verdicts: SampleVerdicts, isOneSample: Bool, status: Int?, now: Instant
    ) {
        if isOneSample, verdicts.rejected.count == 1 {
            release(id, to: .dead, now: now)
            entries[id]?.item.lastStatus = status
            entries[id]?.item.lastReason = verdicts.rejected[0].reason
            return
        }
        guard let item = entries.removeValue(forKey: id)?.item, let interval = item.content.slice?.interval else {
            return
        }
        func content(_ ids: [SampleID], _ key: String) -> NewOutboxItem {
            NewOutboxItem(
                destination: item.content.destination, kind: item.content.kind, dedupKey: key,
                slice: SampleSlice(interval: interval, count: ids.count, only: ids))
        }
        let dead = verdicts.rejected.map { (content([$0.id], $0.id.description), Optional($0.reason)) }
        let waiting = verdicts.waiting.enumerated().map {
            (content($0.element, "samples of \(id), \($0.offset)"), String?.none)
        }
        for (content, reason) in dead + waiting where !knows(Key(content)) {
            _ = enqueue([content], now: now)
            guard let new = entries.keys.max() else { continue }
            entries[new]?.item.attempts = item.attempts
            entries[new]?.item.lastStatus = status
            entries[new]?.item.lastReason = reason
            if reason != nil { entries[new]?.item.state = .dead }
        }
    }
}

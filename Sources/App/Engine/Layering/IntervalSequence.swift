import HealthSyncDomain

/// Adjacent or separate intervals, ascending and without overlap, with lookups by binary search.
struct IntervalSequence: Sendable {
    let intervals: [SyncInterval]

    /// Returns the interval that contains `instant`.
    func containing(_ instant: Instant) -> SyncInterval? {
        let place = place(endingAfter: instant)
        guard place < intervals.count, intervals[place].interval.contains(instant) else { return nil }
        return intervals[place]
    }

    /// Returns the intervals that overlap `interval`.
    func overlapping(_ interval: GridInterval) -> ArraySlice<SyncInterval> {
        let first = place(endingAfter: interval.start)
        var end = first
        while end < intervals.count, intervals[end].interval.start < interval.end { end += 1 }
        return intervals[first..<end]
    }

    private func place(endingAfter instant: Instant) -> Int {
        intervals.partitionPoint { $0.interval.end <= instant }
    }
}

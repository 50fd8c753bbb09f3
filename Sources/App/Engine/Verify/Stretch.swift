import HealthSyncDomain

/// Intervals one after the other, listed together.
struct Stretch {
    private(set) var intervals: [GridInterval]
    private(set) var digest: SampleSetDigest

    var range: InstantRange {
        guard let first = intervals.first, let last = intervals.last else {
            return InstantRange(start: Instant(milliseconds: 0), end: Instant(milliseconds: 0))
        }
        return InstantRange(start: first.start, end: last.end)
    }

    /// Joins what lies side by side.
    static func joined(_ nodes: [(interval: GridInterval, digest: SampleSetDigest)]) -> [Stretch] {
        var stretches: [Stretch] = []
        for node in nodes.sorted(by: { $0.interval.start < $1.interval.start }) {
            if let last = stretches.last?.range.end, last == node.interval.start {
                stretches[stretches.count - 1].intervals.append(node.interval)
                stretches[stretches.count - 1].digest = stretches[stretches.count - 1].digest + node.digest
            } else {
                stretches.append(Stretch(intervals: [node.interval], digest: node.digest))
            }
        }
        return stretches
    }
}

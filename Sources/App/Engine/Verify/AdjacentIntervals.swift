import HealthSyncDomain

/// One or more adjacent intervals that are listed together.
struct AdjacentIntervals {
    private(set) var intervals: [GridInterval]
    private(set) var range: InstantRange
    private(set) var digest: SampleSetDigest

    init(_ first: GridInterval, digest: SampleSetDigest) {
        intervals = [first]
        range = first.range
        self.digest = digest
    }

    /// Returns the nodes with adjacent ones joined.
    static func joined(_ nodes: [(interval: GridInterval, digest: SampleSetDigest)]) -> [AdjacentIntervals] {
        var groups: [AdjacentIntervals] = []
        for node in nodes.sorted(by: { $0.interval.start < $1.interval.start }) {
            if let last = groups.indices.last, groups[last].range.end == node.interval.start {
                groups[last].append(node.interval, digest: node.digest)
            } else {
                groups.append(AdjacentIntervals(node.interval, digest: node.digest))
            }
        }
        return groups
    }

    private mutating func append(_ next: GridInterval, digest more: SampleSetDigest) {
        intervals.append(next)
        range = InstantRange(start: range.start, end: next.end)
        digest = digest + more
    }
}

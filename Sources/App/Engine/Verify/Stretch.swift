import HealthSyncDomain

/// One or more adjacent intervals that are listed together.
struct Stretch {
    private(set) var intervals: [GridInterval]
    private(set) var range: InstantRange
    private(set) var digest: SampleSetDigest

    init(_ first: GridInterval, digest: SampleSetDigest) {
        intervals = [first]
        range = first.range
        self.digest = digest
    }

    /// Returns the nodes with adjacent ones joined.
    static func joined(_ nodes: [(interval: GridInterval, digest: SampleSetDigest)]) -> [Stretch] {
        var stretches: [Stretch] = []
        for node in nodes.sorted(by: { $0.interval.start < $1.interval.start }) {
            if let last = stretches.indices.last, stretches[last].range.end == node.interval.start {
                stretches[last].append(node.interval, digest: node.digest)
            } else {
                stretches.append(Stretch(node.interval, digest: node.digest))
            }
        }
        return stretches
    }

    private mutating func append(_ next: GridInterval, digest more: SampleSetDigest) {
        intervals.append(next)
        range = InstantRange(start: range.start, end: next.end)
        digest = digest + more
    }
}

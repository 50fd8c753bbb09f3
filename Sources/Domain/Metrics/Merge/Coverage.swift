/// The intervals of time with measurements: sorted, disjoint and not adjacent.
struct Coverage {
    private(set) var starts: [Int64] = []
    private(set) var ends: [Int64] = []

    init() {}

    /// Creates the intervals that the samples of `columns`, ascending by start, cover.
    init(of columns: SampleColumns) {
        starts.reserveCapacity(columns.count)
        ends.reserveCapacity(columns.count)
        for index in 0..<columns.count where columns.durations[index] > 0 {
            append(columns.starts[index], columns.starts[index] &+ columns.durations[index])
        }
    }

    var count: Int { starts.count }

    /// The sum of the lengths.
    var length: Int64 { zip(starts, ends).reduce(0) { $0 + $1.1 - $1.0 } }

    /// Adds an interval that starts no earlier than the last one.
    mutating func append(_ start: Int64, _ end: Int64) {
        if let last = ends.last, start <= last {
            ends[ends.count - 1] = max(last, end)
        } else {
            starts.append(start)
            ends.append(end)
        }
    }

    /// Returns the index of the first interval that ends after `instant`, searching from `index`.
    func first(endingAfter instant: Int64, from index: Int) -> Int {
        // Samples of one origin may overlap, so the next part may begin before the previous one.
        var index = index > 0 && ends[index - 1] > instant ? 0 : index
        // Samples ascend, so the answer is usually near; a jump over years is found by binary search.
        for _ in 0..<8 {
            guard index < count, ends[index] <= instant else { return index }
            index += 1
        }
        return (index..<count).partitionPoint { ends[$0] <= instant }
    }

    /// Returns whether the interval at `index`, found by `first(endingAfter:from:)`, contains `instant`.
    func holds(_ instant: Int64, at index: Int) -> Bool { index < count && starts[index] <= instant }

    /// Calls `body` with each part of `start..<end` that is not covered. Intervals before `index` must end before `start`.
    @inline(__always)
    func forEachGap(from start: Int64, to end: Int64, startingAt index: Int, _ body: (Int64, Int64) -> Void) {
        var low = start
        var index = index
        while index < count, starts[index] < end {
            if starts[index] > low { body(low, starts[index]) }
            low = max(low, ends[index])
            index += 1
        }
        if low < end { body(low, end) }
    }

    /// Adds all intervals of `other`. The cost is proportional to `other` and to the own intervals between its ends.
    mutating func formUnion(_ other: Coverage) {
        guard let first = other.starts.first, let last = other.ends.last else { return }
        let low = ends.partitionPoint { $0 < first }
        let high = (low..<count).partitionPoint { starts[$0] <= last }
        var merged = Coverage()
        var mine = low
        var theirs = 0
        while mine < high || theirs < other.count {
            if theirs == other.count || (mine < high && starts[mine] <= other.starts[theirs]) {
                merged.append(starts[mine], ends[mine])
                mine += 1
            } else {
                merged.append(other.starts[theirs], other.ends[theirs])
                theirs += 1
            }
        }
        starts.replaceSubrange(low..<high, with: merged.starts)
        ends.replaceSubrange(low..<high, with: merged.ends)
    }
}

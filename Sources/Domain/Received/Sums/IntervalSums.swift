/// Digests of the samples that start within given intervals, which may overlap, from pages that are each read once. The ends
/// of all intervals divide time into parts; the digest of an interval is the sum of those of its parts.
package struct IntervalSums: Sendable {
    /// The ends of the intervals, ascending. Part n begins at bound n and ends before the next one.
    private let bounds: [Int64]
    private var sums: [SampleSetDigest]
    /// The number of parts before each one that belong to an interval, and at the end that of all.
    private let wantedBefore: [Int]
    /// The first part in each bucket of 2^shift milliseconds that belongs to an interval; -1 for none.
    private var buckets: [Int32] = []
    private let shift: Int64

    /// The largest number of buckets, so that most samples are excluded without a search.
    private static let largestBucketCount: Int64 = 1 << 14
    /// Times of samples are far smaller.
    private static let limit: Int64 = 1 << 60

    package init(of intervals: [InstantRange]) {
        let ranges = intervals.map(Self.limited).filter { $0.lowerBound < $0.upperBound }
        bounds = Set(ranges.flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
        var changes = [Int](repeating: 0, count: bounds.count)
        for range in ranges {
            changes[bounds.partitionPoint { $0 < range.lowerBound }] += 1
            changes[bounds.partitionPoint { $0 < range.upperBound }] -= 1
        }
        sums = [SampleSetDigest](repeating: .zero, count: max(0, bounds.count - 1))
        var (depth, wanted) = (0, [0])
        for change in changes.dropLast() {
            depth += change
            wanted.append((wanted.last ?? 0) + (depth > 0 ? 1 : 0))
        }
        wantedBefore = wanted
        var shift: Int64 = 0
        let length = (bounds.last ?? 0) - (bounds.first ?? 0)
        while length >> shift >= Self.largestBucketCount { shift += 1 }
        self.shift = shift
        if let first = bounds.first { buckets = (0...(length >> shift)).map { bucket(from: first + $0 << shift) } }
    }

    private static func limited(_ interval: InstantRange) -> Range<Int64> {
        let start = min(max(interval.start.milliseconds, -limit), limit)
        return start..<max(start, min(interval.end.milliseconds, limit))
    }

    private func bucket(from start: Int64) -> Int32 {
        var part = max(0, bounds.partitionPoint { $0 <= start } - 1)
        while part < sums.count, bounds[part] < start + (1 << shift) {
            if isWanted(part) { return Int32(part) }
            part += 1
        }
        return -1
    }

    private func isWanted(_ part: Int) -> Bool { wantedBefore[part + 1] > wantedBefore[part] }

    /// Returns the part that contains `start` and belongs to an interval.
    private func part(of start: Int64) -> Int? {
        guard let first = bounds.first, let last = bounds.last, start >= first, start < last else { return nil }
        let candidate = buckets[Int((start - first) >> shift)]
        guard candidate >= 0 else { return nil }
        var part = Int(candidate)
        while bounds[part + 1] <= start { part += 1 }
        return bounds[part] <= start && isWanted(part) ? part : nil
    }

    /// Returns whether samples that start from `first` to `last` may start within an interval.
    package func overlaps(_ first: Int64, _ last: Int64) -> Bool {
        guard let start = bounds.first, let end = bounds.last, first < end, last >= start, first <= last else {
            return false
        }
        let from = max(0, bounds.partitionPoint { $0 <= first } - 1)
        let to = min(sums.count, bounds.partitionPoint { $0 <= last })
        return wantedBefore[to] > wantedBefore[from]
    }

    /// Adds the samples of a page, whose ids `id` returns; returns how many start within an interval.
    @discardableResult package mutating func add(
        _ page: ReceivedPageView, id: (Int) -> SampleID
    ) throws(DamagedPage) -> Int {
        var count = 0
        for (index, start) in page.starts.enumerated() {
            guard let part = part(of: start), page.isAlive(at: index) else { continue }
            sums[part] += try page.digest(at: index, id: id(index))
            count += 1
        }
        return count
    }

    /// Adds the digest of samples that start from `first` to `last`, if they are all in the same intervals. Returns whether
    /// they are.
    package mutating func add(_ digest: SampleSetDigest, first: Int64, last: Int64) -> Bool {
        guard let part = part(of: first), last < bounds[part + 1] else { return false }
        sums[part] += digest
        return true
    }

    /// Returns the digest of one of the intervals.
    package func digest(of interval: InstantRange) -> SampleSetDigest {
        let range = Self.limited(interval)
        guard range.lowerBound < range.upperBound else { return .zero }
        let parts =
            bounds.partitionPoint { $0 < range.lowerBound }..<bounds.partitionPoint { $0 < range.upperBound }
        return sums[parts].reduce(.zero, +)
    }
}

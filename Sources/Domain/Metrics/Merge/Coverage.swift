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

/// The hour buckets of consecutive days by one clock, with further cuts, as one ascending array of boundaries. Finding the
/// bucket of the next sample is usually one comparison.
struct BucketGrid {
    /// The clock of the buckets.
    let clock: DayClock
    /// The days.
    let days: DayRange
    /// The start of each bucket in milliseconds since 1970, followed by the end of the last one.
    let bounds: [Int64]
    /// The index of the day of each bucket.
    let dayOfBucket: [Int]
    /// The start of the hour of each bucket.
    let hourOfBucket: [Int64]
    /// The start of each day, followed by the end of the last one.
    let dayBounds: [Int64]

    /// Creates the grid of `clock`. `cuts` must ascend, in milliseconds since 1970.
    init(clock: DayClock, days: DayRange, cuts: [Int64] = []) {
        self.clock = clock
        self.days = days
        var bounds: [Int64] = []
        var dayOfBucket: [Int] = []
        var hourOfBucket: [Int64] = []
        var dayBounds: [Int64] = []
        var cuts = cuts[...]
        for (index, day) in days.enumerated() {
            dayBounds.append(clock.start(of: day).milliseconds)
            for hour in clock.hours(of: day) {
                let start = hour.start.milliseconds
                cuts = cuts.drop { $0 <= start }
                let inside = cuts.prefix { $0 < hour.end.milliseconds }
                bounds.append(start)
                bounds.append(contentsOf: inside)
                dayOfBucket.append(contentsOf: repeatElement(index, count: inside.count + 1))
                hourOfBucket.append(contentsOf: repeatElement(start, count: inside.count + 1))
            }
        }
        let end = clock.interval(of: days).end.milliseconds
        self.bounds = bounds + [end]
        self.dayBounds = dayBounds + [end]
        self.dayOfBucket = dayOfBucket
        self.hourOfBucket = hourOfBucket
    }

    var bucketCount: Int { dayOfBucket.count }

    /// Returns the bucket that contains `milliseconds`; `nil` outside the days. Tries `hint` and the bucket after it first.
    func bucket(at milliseconds: Int64, near hint: Int) -> Int? {
        if hint < bucketCount, bounds[hint] <= milliseconds {
            if milliseconds < bounds[hint + 1] { return hint }
            if hint + 1 < bucketCount, milliseconds < bounds[hint + 2] { return hint + 1 }
        }
        guard let first = bounds.first, first <= milliseconds, milliseconds < bounds[bucketCount] else { return nil }
        return bounds.partitionPoint { $0 <= milliseconds } - 1
    }
}

/// The part of a sample on one day.
struct DayPart {
    /// The index of the day in the grid; negative or too large outside it.
    let day: Int
    /// The start in milliseconds since 1970.
    let start: Int64
    /// The end in milliseconds since 1970.
    let end: Int64
    /// The part's share of the value.
    let amount: Double

    /// Returns what remains of the part after `instant`, with its share of the amount; `nil` if nothing does. A part without
    /// length remains.
    func after(_ instant: Int64?) -> DayPart? {
        guard let instant, instant > start, start < end else { return self }
        guard instant < end else { return nil }
        return DayPart(
            day: day, start: instant, end: end, amount: amount * (Double(end - instant) / Double(end - start)))
    }
}

/// Divides a sample at the boundaries of days in proportion to time.
enum DaySplit {
    /// Returns the parts of a sample with length by the clock of `grid`, those outside its days included. With `isWhole`, a
    /// whole value is divided into whole numbers that sum to it, which depends on all days that the sample touches.
    static func parts(start: Int64, end: Int64, value: Double, isWhole: Bool, grid: BucketGrid) -> [DayPart] {
        var day = grid.clock.day(of: Instant(milliseconds: start))
        var cuts: [(day: Int, start: Int64, end: Int64)] = []
        var low = start
        while low < end {
            let high = min(end, grid.clock.start(of: day.advanced(by: 1)).milliseconds)
            if low < high { cuts.append((day.ordinal - grid.days.first.ordinal, low, high)) }
            low = max(low, high)
            day = day.advanced(by: 1)
        }
        let length = Double(end - start)
        var amounts = cuts.map { value * (Double($0.end - $0.start) / length) }
        if isWhole, value == value.rounded() { amounts = LargestRemainder.apportion(value, over: amounts) }
        return zip(cuts, amounts).map { DayPart(day: $0.day, start: $0.start, end: $0.end, amount: $1) }
    }
}

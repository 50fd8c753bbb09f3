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

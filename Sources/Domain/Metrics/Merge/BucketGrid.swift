/// The hour buckets of a run of days by one clock, cut further where asked, as one ascending row of boundaries, so that
/// finding the bucket of the next sample is a comparison with its neighbour.
struct BucketGrid {
    /// The clock that made the buckets.
    let clock: DayClock
    /// The days.
    let days: DayRange
    /// Start of each bucket in milliseconds since 1970, and behind the last one its end.
    let bounds: [Int64]
    /// For each bucket its day, counted from the first.
    let dayOfBucket: [Int]
    /// For each bucket the start of its hour.
    let hourOfBucket: [Int64]
    /// Start of each day, and behind the last one its end.
    let dayBounds: [Int64]

    /// The grid of `clock`; `cuts` ascending, in milliseconds since 1970.
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

    /// The bucket that holds `milliseconds`, or `nil` outside the days; looks at `hint` and its neighbour first.
    func bucket(at milliseconds: Int64, near hint: Int) -> Int? {
        if hint < bucketCount, bounds[hint] <= milliseconds {
            if milliseconds < bounds[hint + 1] { return hint }
            if hint + 1 < bucketCount, milliseconds < bounds[hint + 2] { return hint + 1 }
        }
        guard let first = bounds.first, first <= milliseconds, milliseconds < bounds[bucketCount] else { return nil }
        return bounds.partitionPoint { $0 <= milliseconds } - 1
    }
}

/// Summarizes a quantity that is measured at intervals: heart rate, resting heart rate, body mass.
///
/// A sample belongs to the hour and the day that contain its start. Identical samples of one origin (start, length, value)
/// count once. A sample that represents several measurements (`SampleDetail.measurementCount`, `minimum`, `maximum`)
/// has their weight. A sample with a value, minimum or maximum outside `validRange`, or with more measurements than
/// `largestCount`, is skipped and counted.
///
/// A mean by minute, hour or day in a feed (`SampleOrigin.isPreAggregated`) repeats measurements: it counts only if no
/// sample of another kind of origin starts within its interval on the same day.
///
/// A mean over time weights each measurement by the time for which it holds: until the next one of its origin starts, at
/// most for the time in `Quantity.timeWeightedMean` or for the length of the sample. Time that an origin of higher
/// priority covers counts once. A measurement holds across hours and midnights, so the mean may lie outside minimum and
/// maximum, which are those of the measurements that start in the interval. Hours and days without measurements have no
/// figures, even if an earlier measurement holds there.
///
/// The result for a day depends only on the samples that start on that day or hold on it.
public struct DiscreteSummary {
    /// The figure of the measurements of an interval.
    public enum Quantity: Sendable {
        /// Their mean, weighted by the number of measurements.
        case mean
        /// Their mean over time; a measurement holds for at most `holdMinutes`.
        case timeWeightedMean(holdMinutes: Int)
        /// The one that starts last; of several that start together, that of the origin with the highest priority.
        case last

        /// The longest time for which a measurement holds, in milliseconds; `nil` if time does not count.
        var holdMilliseconds: Int64? {
            guard case .timeWeightedMean(let minutes) = self else { return nil }
            return Int64(minutes) * 60_000
        }
    }

    /// The longest time for which a measurement holds by default, in minutes: at rest a watch measures about every five
    /// minutes and sometimes misses one ([decision 24](docs/decisions/0024-heart-rate-is-averaged-over-time.md)).
    public static let standardHoldMinutes = 10

    /// The origins whose measurements count on a day.
    public enum Choice: Sendable {
        /// All origins.
        case everyOrigin
        /// The origin with the highest priority that measured on the day.
        case bestOrigin
    }

    /// The longest time for which a sample holds, in milliseconds: the longest calendar day, which may be one bucket of a
    /// feed.
    package static let longestHeldLength: Int64 = 25 * 3_600_000
    /// The largest plausible number of measurements in a sample: more than the heartbeats of a lifetime.
    public static let largestCount = 10_000_000_000

    private let metric: HealthMetric
    private let unit: String
    private let days: DayRange
    let rules: DerivationRules

    /// The figure of several measurements; by default their mean.
    public var quantity = Quantity.mean
    /// The origins that count; by default all.
    public var choice = Choice.everyOrigin
    /// Whether hours have figures; by default they do.
    public var isHourly = true
    /// Whether values are fractions: then those of more than 1 are percent, as some apps write them, and 97 counts as 0.97.
    public var isFraction = false
    /// The plausible values; `nil` for all finite ones.
    public var validRange: ClosedRange<Double>?

    /// Creates a summary of `days`.
    ///
    /// - Parameters:
    ///   - metric: the metric of the results.
    ///   - unit: the unit of the samples' values.
    ///   - days: the days to derive.
    ///   - rules: the clocks and the order of origins.
    public init(
        metric: HealthMetric, unit: String, days: DayRange, rules: DerivationRules
    ) {
        self.metric = metric
        self.unit = unit
        self.days = days
        self.rules = rules
    }

    /// Returns the figures of days with measurements, ascending, and the numbers of skipped samples.
    public func days(of samples: [OriginSamples]) -> DerivedDays {
        let ranked = samples.sorted { rules.originPriority.precedes($0.origin, $1.origin) }
        let feeds = ranked.filter(\.origin.isPreAggregated)
        var ledger = DiscreteLedger(days: days, summary: self, keepsStarts: !feeds.isEmpty)
        for origin in ranked where !origin.origin.isPreAggregated { ledger.add(origin) }
        for feed in feeds { ledger.add(feed) }
        let home = rules.clock
        let progress: [DailyProgress] = days.enumerated().compactMap { index, day in
            let entries = ledger.entries[ledger.requested.lowerBound + index]
            var total = FigureSum()
            for entry in entries { total.add(entry.sum) }
            guard total.count > 0 else { return nil }
            return DailyProgress(
                metric: metric, day: day, start: home.start(of: day), unit: unit, figures: total.figures(quantity),
                hours: isHourly ? hours(of: entries) : [],
                origins: origins(of: ledger.own[ledger.requested.lowerBound + index]))
        }
        return DerivedDays(progress: progress, skipped: ledger.skipped)
    }

    /// Returns whether `value` is plausible.
    func isPlausible(_ value: Double) -> Bool { value.isFinite && (validRange?.contains(value) ?? true) }

    /// Returns the value that counts for a value of a sample.
    func counted(_ value: Double) -> Double {
        guard isFraction, value > 1, value <= Self.percent else { return value }
        return value / Self.percent
    }

    private static let percent = 100.0

    private func origins(of own: [(sourceName: String, sum: FigureSum)]) -> [OriginProgress] {
        own.filter { $0.sum.count > 0 }.sorted { ExactText($0.sourceName) < ExactText($1.sourceName) }.map {
            OriginProgress(sourceName: $0.sourceName, quantity: $0.sum.figures(quantity).quantity)
        }
    }

    private func hours(of entries: [DiscreteLedger.Entry]) -> [HourProgress] {
        var sums: [(start: Int64, sum: FigureSum)] = []
        let ordered = entries.enumerated().sorted {
            ($0.element.hourStart, $0.offset) < ($1.element.hourStart, $1.offset)
        }
        for (_, entry) in ordered {
            if sums.last?.start == entry.hourStart {
                sums[sums.count - 1].sum.add(entry.sum)
            } else {
                sums.append((entry.hourStart, entry.sum))
            }
        }
        return sums.filter { $0.sum.count > 0 }.map {
            HourProgress(start: Instant(milliseconds: $0.start), figures: $0.sum.figures(quantity))
        }
    }
}

/// The running summary of the measurements of an interval.
struct FigureSum {
    private var sum = 0.0
    private(set) var count = 0
    private var minimum = Double.infinity
    private var maximum = -Double.infinity
    private var lastStart = Int64.min
    private var lastValue = 0.0
    /// The measurements that hold in the interval, including earlier ones.
    var held = HeldSum()

    /// Adds a value that represents `count` measurements between `low` and `high`.
    @inline(__always)
    mutating func add(_ value: Double, low: Double, high: Double, count: Int, start: Int64) {
        sum += value * Double(count)
        self.count += count
        minimum = min(minimum, low)
        maximum = max(maximum, high)
        if start > lastStart { (lastStart, lastValue) = (start, value) }
    }

    /// Adds the measurements of another origin or hour. Of values that start together, the one added first counts as the
    /// last value.
    mutating func add(_ other: FigureSum) {
        sum += other.sum
        count += other.count
        minimum = min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
        if other.lastStart > lastStart { (lastStart, lastValue) = (other.lastStart, other.lastValue) }
        held.add(other.held)
    }

    /// Returns the figures. Requires at least one measurement.
    func figures(_ quantity: DiscreteSummary.Quantity) -> ProgressFigures {
        var figures = ProgressFigures(quantity: lastValue, minimum: minimum, maximum: maximum, count: count)
        switch quantity {
        case .last: break
        case .mean: figures.quantity = mean.asFigure
        case .timeWeightedMean:
            figures.quantity = (held.mean ?? mean).asFigure
            figures.heldMilliseconds = held.milliseconds
        }
        return figures
    }

    /// Clamped, because rounding must not move the mean of equal values.
    private var mean: Double { min(max(sum / Double(count), minimum), maximum) }
}

/// A sum of values, weighted by the time for which they hold.
struct HeldSum {
    /// The sum of value times milliseconds.
    private var weighted = 0.0
    private(set) var milliseconds: Int64 = 0

    /// Adds `value`, held for `length` milliseconds.
    @inline(__always)
    mutating func add(_ value: Double, for length: Int64) {
        weighted += value * Double(length)
        milliseconds += length
    }

    mutating func add(_ other: HeldSum) {
        weighted += other.weighted
        milliseconds += other.milliseconds
    }

    /// The mean over time; `nil` if nothing held.
    var mean: Double? { milliseconds > 0 ? weighted / Double(milliseconds) : nil }
}

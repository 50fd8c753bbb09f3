/// Merges a quantity that several origins counted: steps, energy, distance, or any other quantity that sums over time.
///
/// A phone and a watch count the same walk, so their figures are not added. At each time, the origin with the highest
/// priority that has a sample there counts. A lower one counts only the part of its interval that no higher one covers,
/// in proportion to time. A sample without length covers no time. It counts in full if it was entered by hand, unless it has the
/// time and value of such an entry of another origin, as after the source was renamed. Otherwise it counts if no higher origin covers its instant, and of several origins with such samples in one hour the larger sum
/// counts, because the length of their measurements is unknown. Samples of one origin do not compete: identical ones
/// (start, length, value) count once, others add up even if they overlap, because a recorder does not count a step twice. Only
/// what a feed without identifiers states for overlapping intervals is one measurement (`MergeRun.coveredEnds`).
///
/// Events (`SampleCounting.events`), such as glasses of water, are not merged: those of all origins add up in full, whatever
/// their length. One with the same start, length and value as one of an origin with a higher priority is its copy, and does
/// not count.
///
/// A sample over a boundary is divided in proportion to time. Quantities in `count` stay whole: a whole sample is divided at
/// midnight into whole numbers that sum to it, the total of a day is whole, and its hours are whole and sum to it. Other
/// quantities have 12 significant digits, and hours sum to their day except for that rounding.
///
/// Sums by minute, hour or day in a feed (`SampleOrigin.isPreAggregated`) repeat measurements: for each bucket, divided at
/// midnight, the larger of its figure and the merged amount counts. Finer buckets come first. The excess of a bucket is
/// assigned to the time in it without measurements, or to the whole bucket if all of it was measured.
///
/// The result for a day depends only on the samples that touch that day, never on which days are derived together.
public struct CumulativeMerge {
    /// The longest plausible sample in milliseconds: 31 days. HealthKit itself rejects samples of more than a few days, and
    /// a longer one would make every day depend on the samples of months before it.
    public static let longestSample: Int64 = 31 * 86_400_000
    /// The largest plausible value.
    public static let largestValue = 1e12

    private let metric: HealthMetric
    private let unit: String
    private let days: DayRange
    private let rules: DerivationRules
    private let counting: SampleCounting

    /// Creates a merge for `days`.
    ///
    /// - Parameters:
    ///   - metric: the metric of the results.
    ///   - unit: the unit of the samples' values. Results in `count` are whole.
    ///   - days: the days to derive.
    ///   - rules: the clocks and the order of origins.
    ///   - counting: how the samples of several origins add up.
    public init(
        metric: HealthMetric, unit: String, days: DayRange, rules: DerivationRules, counting: SampleCounting = .spans
    ) {
        self.metric = metric
        self.unit = unit
        self.days = days
        self.rules = rules
        self.counting = counting
    }

    /// Returns the figures of days with measurements, ascending. Samples that are negative, longer than `longestSample` or
    /// above `largestValue` are skipped; those that start on the days are counted.
    public func days(of samples: [OriginSamples]) -> DerivedDays {
        let run = run(over: samples, cuts: [])
        return DerivedDays(progress: progress(from: run), skipped: run.skipped)
    }

    /// Returns the merged amount of each interval between neighboring boundaries (hours and `cuts`) that has measurements.
    /// The amounts are not rounded to whole numbers: they are weights by which a figure of `days(of:)` can be divided.
    package func stretches(of samples: [OriginSamples], cutAt cuts: [Instant]) -> [MergedStretch] {
        run(over: samples, cuts: Set(cuts.map(\.milliseconds)).sorted()).stretches()
    }

    private func run(over samples: [OriginSamples], cuts: [Int64]) -> MergeRun {
        var run = MergeRun(
            days: days, isWhole: unit == "count", keepsPieces: samples.contains { $0.origin.isPreAggregated },
            cuts: cuts, clock: rules.clock(forZone:))
        let ranked = samples.sorted { rules.originPriority.precedes($0.origin, $1.origin) }
        let measured = ranked.filter { !$0.origin.isPreAggregated }
        for (index, origin) in measured.enumerated() {
            switch counting {
            case .spans: run.add(origin, isLast: index == measured.count - 1)
            case .events: run.addEvents(origin)
            }
        }
        var feeds = FeedMerge(days: days)
        for (rank, origin) in ranked.enumerated() where origin.origin.isPreAggregated {
            run.collect(origin, rank: rank, into: &feeds)
        }
        feeds.settle(into: &run)
        return run
    }

    private func progress(from run: MergeRun) -> [DailyProgress] {
        let home = rules.clock
        let hours = run.hoursByDay()
        return days.enumerated().compactMap { index, day in
            guard !hours[index].isEmpty else { return nil }
            var amounts = hours[index].map(\.amount)
            var total = amounts.reduce(0, +)
            if run.isWhole {
                total.round()
                amounts = LargestRemainder.apportion(total, over: amounts)
            }
            return DailyProgress(
                metric: metric, day: day, start: home.start(of: day), unit: unit,
                figures: ProgressFigures(quantity: total.asFigure),
                hours: zip(hours[index], amounts).map { hour, amount in
                    HourProgress(
                        start: Instant(milliseconds: hour.start), figures: ProgressFigures(quantity: amount.asFigure))
                },
                origins: run.ownTotals(day: index))
        }
    }
}

/// The merged amount of a part of an hour.
package struct MergedStretch: Sendable, Hashable {
    /// The calendar day that the hour counts for.
    package let day: CalendarDay
    /// The first instant of the hour.
    package let hour: Instant
    /// The part of the hour.
    package let range: InstantRange
    /// The amount in the unit of the merge.
    package let amount: Double
}

/// Rounds shares to whole numbers that sum to a whole total: each is rounded down, and the rest goes to the largest
/// remainders (Hamilton's method); of equal ones, to the earlier.
enum LargestRemainder {
    /// Returns `shares`, which must sum to `total` except for rounding, as whole numbers that sum to `total` exactly.
    static func apportion(_ total: Double, over shares: [Double]) -> [Double] {
        // Above 2^53 all doubles are whole, and adding 1 no longer gives another number.
        guard total < 9_007_199_254_740_992 else { return shares }
        var whole = shares.map(wholePart)
        let missing = Int(total - whole.reduce(0, +))
        guard missing != 0 else { return whole }
        let remainders = zip(shares, whole).map { $0 - $1 }
        let unit = missing > 0 ? 1.0 : -1.0
        let order = shares.indices.sorted { (remainders[$1] * unit, $0) < (remainders[$0] * unit, $1) }
        for index in order.prefix(abs(missing)) { whole[index] += unit }
        return whole
    }

    /// Returns the whole part. A share that is whole except for rounding must not lose a unit to another share.
    private static func wholePart(_ share: Double) -> Double {
        let nearest = share.rounded()
        return abs(share - nearest) <= min(0.25, max(1e-9, share * 1e-12)) ? nearest : share.rounded(.down)
    }
}

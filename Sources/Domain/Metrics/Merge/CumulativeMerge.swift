/// Merges what several origins counted of the same thing: steps, and every other quantity that sums over time.
///
/// A phone and a watch count the same walk, so their figures are not added. For each stretch of time the origin of
/// highest priority that has a sample there counts; a lower one counts only the part of its interval that no higher one
/// covers, in proportion to time. A sample without length covers nothing. Entered by hand it counts in full; another counts
/// if no higher origin covers its instant, and of several origins that have some in one hour the larger sum counts,
/// because how long they measured is not stated. Samples of one origin do not compete with each other: identical ones (start, length, value)
/// count once, others add up even where they overlap, because one recorder does not count a step twice.
///
/// A sample over a boundary is cut in proportion to time. Quantities counted in `count` stay whole: a whole sample is
/// cut at midnight into whole numbers that sum to it, a day's total is a whole number, and its hours are whole and sum
/// to it. Other quantities have 12 significant digits, and hours sum to their day but for
/// that rounding.
///
/// Sums that a feed made by minute, hour or day (`SampleOrigin.isPreAggregated`) measure the same thing again: per
/// bucket, cut at midnight, the larger of its figure and of what is merged already counts. Finer buckets come first;
/// what a bucket has more is laid where nothing was measured within it, or over all of it where everything was.
///
/// The result for a day depends only on the samples that touch that day, never on which days are asked together.
public struct CumulativeMerge {
    /// The longest sample that is believed, in milliseconds: 31 days. HealthKit itself refuses samples of more than a few
    /// days, and a longer one would make every day depend on months of samples before it.
    public static let longestSample: Int64 = 31 * 86_400_000
    /// The largest value that is believed.
    public static let largestValue = 1e12

    private let metric: HealthMetric
    private let unit: String
    private let days: DayRange
    private let rules: DerivationRules

    /// A merge for `days`.
    ///
    /// - Parameters:
    ///   - metric: the metric of the results.
    ///   - unit: unit of the samples' values; in `count` results are whole.
    ///   - days: the days that are asked.
    ///   - rules: the clocks and the order of origins.
    public init(
        metric: HealthMetric, unit: String, days: DayRange, rules: DerivationRules
    ) {
        self.metric = metric
        self.unit = unit
        self.days = days
        self.rules = rules
    }

    /// Figures of the days on which something was measured, ascending, and the number of samples starting on these days
    /// that were left out because they are negative, longer than `longestSample` or above `largestValue`.
    public func days(of samples: [OriginSamples]) -> DerivedDays {
        let run = run(over: samples, cuts: [])
        return DerivedDays(progress: progress(from: run), skipped: run.skipped)
    }

    /// What of the merged quantity falls between neighbouring ones of the hours' ends and `cuts`, where something was
    /// measured. Not rounded to whole numbers: the shares of an hour, for `days(of:)` to be divided by.
    package func stretches(of samples: [OriginSamples], cutAt cuts: [Instant]) -> [MergedStretch] {
        run(over: samples, cuts: Set(cuts.map(\.milliseconds)).sorted()).stretches()
    }

    private func run(over samples: [OriginSamples], cuts: [Int64]) -> MergeRun {
        var run = MergeRun(
            days: days, isWhole: unit == "count", keepsPieces: samples.contains { $0.origin.isPreAggregated },
            cuts: cuts, clock: rules.clock(forZone:))
        let ranked = samples.sorted { rules.originPriority.precedes($0.origin, $1.origin) }
        let measured = ranked.filter { !$0.origin.isPreAggregated }
        for (index, origin) in measured.enumerated() { run.add(origin, isLast: index == measured.count - 1) }
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

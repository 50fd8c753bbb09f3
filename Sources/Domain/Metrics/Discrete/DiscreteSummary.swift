/// Sums up a quantity that is measured now and then: heart rate, resting heart rate, body mass.
///
/// A sample belongs to the hour and the day that hold its start. Identical samples of one origin (start, length, value)
/// count once. A sample that stands for several measurements (`SampleDetail.measurementCount`, `minimum`, `maximum`)
/// weighs as many. A value, minimum or maximum outside `validRange` makes no sense, nor do more measurements than
/// `largestCount`: the sample is left out and counted.
///
/// A mean that a feed made by minute, hour or day (`SampleOrigin.isPreAggregated`) measures the same thing again: it
/// counts only where no sample of another kind of origin starts within its interval on the same day.
///
/// A mean over time weighs each measurement by the time for which it holds: until the next one of its origin starts, at
/// most for the time that `Quantity.timeWeightedMean` states or for the sample's own length. What an origin of higher
/// priority holds counts once. A measurement holds across hours and midnights, so the mean may lie outside minimum and
/// maximum, which are those of the measurements that start in the stretch. Hours and days in which nothing was measured
/// have no figures, even where something holds.
///
/// The result for a day depends only on the samples that start on that day or hold on it.
public struct DiscreteSummary {
    /// What stands for the measurements of a stretch.
    public enum Quantity: Sendable {
        /// Their mean, weighed by the number of measurements.
        case mean
        /// Their mean over time; a measurement holds for at most so many minutes.
        case timeWeightedMean(holdMinutes: Int)
        /// The one that starts last; of several that start together the one of the origin of highest priority.
        case last

        /// Milliseconds for which a measurement holds at most; `nil` where time does not count.
        var holdMilliseconds: Int64? {
            guard case .timeWeightedMean(let minutes) = self else { return nil }
            return Int64(minutes) * 60_000
        }
    }

    /// Minutes for which a measurement holds at most, unless configured: at rest a watch measures about every five
    /// minutes, and misses one now and then ([decision 24](docs/decisions/0024-heart-rate-is-averaged-over-time.md)).
    public static let standardHoldMinutes = 10

    /// Whose measurements count on a day.
    public enum Choice: Sendable {
        /// Those of every origin.
        case everyOrigin
        /// Those of the origin of highest priority that measured on the day.
        case bestOrigin
    }

    /// The longest length of a sample for which it holds, in milliseconds: the longest calendar day, which a feed may
    /// state as one bucket.
    package static let longestHeldLength: Int64 = 25 * 3_600_000
    /// The most measurements that one sample is believed to stand for: more than there are heartbeats in a lifetime.
    public static let largestCount = 10_000_000_000

    private let metric: HealthMetric
    private let unit: String
    private let days: DayRange
    let rules: DerivationRules

    /// What stands for several measurements; the mean.
    public var quantity = Quantity.mean
    /// Whose measurements count; those of every origin.
    public var choice = Choice.everyOrigin
    /// Whether hours are given too; they are.
    public var isHourly = true
    /// The values that are believed; all finite ones where `nil`.
    public var validRange: ClosedRange<Double>?

    /// A summary of `days`.
    ///
    /// - Parameters:
    ///   - metric: the metric of the results.
    ///   - unit: unit of the samples' values.
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

    /// Figures of the days on which something was measured, ascending, and the number of samples left out.
    public func days(of samples: [OriginSamples]) -> DerivedDays {
        let ranked = samples.sorted { rules.originPriority.precedes($0.origin, $1.origin) }
        let feeds = ranked.filter(\.origin.isPreAggregated)
        var ledger = DiscreteLedger(days: days, summary: self, keepsStarts: !feeds.isEmpty)
        for origin in ranked where !origin.origin.isPreAggregated { ledger.add(origin) }
        for feed in feeds { ledger.add(feed) }
        let home = rules.clock
        let progress: [DailyProgress] = days.enumerated().compactMap { index, day in
            let entries = ledger.entries[ledger.asked.lowerBound + index]
            var total = FigureSum()
            for entry in entries { total.add(entry.sum) }
            guard total.count > 0 else { return nil }
            return DailyProgress(
                metric: metric, day: day, start: home.start(of: day), unit: unit, figures: total.figures(quantity),
                hours: isHourly ? hours(of: entries) : [],
                origins: origins(of: ledger.own[ledger.asked.lowerBound + index]))
        }
        return DerivedDays(progress: progress, skipped: ledger.skipped)
    }

    /// Whether a measurement of `value` makes sense.
    func believes(_ value: Double) -> Bool { value.isFinite && (validRange?.contains(value) ?? true) }

    private func origins(of own: [(sourceName: String, sum: FigureSum)]) -> [OriginProgress] {
        own.filter { $0.sum.count > 0 }.sorted { $0.sourceName < $1.sourceName }.map {
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

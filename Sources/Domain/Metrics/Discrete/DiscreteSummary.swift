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
/// The result for a day depends only on the samples that start on that day.
public struct DiscreteSummary {
    /// What stands for the measurements of a stretch.
    public enum Quantity: Sendable {
        /// Their mean, weighed by the number of measurements.
        case mean
        /// The one that starts last; of several that start together the one of the origin of highest priority.
        case last
    }

    /// Whose measurements count on a day.
    public enum Choice: Sendable {
        /// Those of every origin.
        case everyOrigin
        /// Those of the origin of highest priority that measured on the day.
        case bestOrigin
    }

    /// The most measurements that one sample is believed to stand for: more than there are heartbeats in a lifetime.
    public static let largestCount = 10_000_000_000

    private let metric: HealthMetric
    private let unit: String
    private let days: DayRange
    private let priority: OriginPriority
    let clock: (String?) -> DayClock

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
    ///   - priority: the order of origins.
    ///   - clock: the clock of a sample by the zone it states; `nil` gives the person's.
    public init(
        metric: HealthMetric, unit: String, days: DayRange, priority: OriginPriority,
        clock: @escaping (String?) -> DayClock
    ) {
        self.metric = metric
        self.unit = unit
        self.days = days
        self.priority = priority
        self.clock = clock
    }

    /// Figures of the days on which something was measured, ascending, and the number of samples left out.
    public func days(of samples: [OriginSamples]) -> DerivedDays {
        let ranked = samples.sorted { priority.precedes($0.origin, $1.origin) }
        let feeds = ranked.filter(\.origin.isPreAggregated)
        var ledger = DiscreteLedger(days: days, summary: self, keepsStarts: !feeds.isEmpty)
        for origin in ranked where !origin.origin.isPreAggregated { ledger.add(origin) }
        for feed in feeds { ledger.add(feed) }
        let home = clock(nil)
        let progress: [DailyProgress] = days.enumerated().compactMap { index, day in
            guard !ledger.entries[index].isEmpty else { return nil }
            var total = FigureSum()
            for entry in ledger.entries[index] { total.add(entry.sum) }
            return DailyProgress(
                metric: metric, day: day, start: home.start(of: day), unit: unit, figures: total.figures(quantity),
                hours: isHourly ? hours(of: ledger.entries[index]) : [],
                origins: ledger.own[index].sorted { $0.sourceName < $1.sourceName }.map {
                    OriginProgress(sourceName: $0.sourceName, quantity: $0.sum.figures(quantity).quantity)
                })
        }
        return DerivedDays(progress: progress, refused: ledger.refused)
    }

    /// Whether a measurement of `value` makes sense.
    func believes(_ value: Double) -> Bool { value.isFinite && (validRange?.contains(value) ?? true) }

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
        return sums.map {
            HourProgress(start: Instant(milliseconds: $0.start), figures: $0.sum.figures(quantity))
        }
    }
}

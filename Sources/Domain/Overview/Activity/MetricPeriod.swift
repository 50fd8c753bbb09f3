/// The figures of one metric in one day, week, month or year.
package struct MetricPeriod: Hashable, Sendable {
    package let period: CalendarPeriod
    /// The selected days of the period.
    package let days: DayRange
    /// The number of days with figures.
    package let recordedDays: Int
    /// The figures of these days together; `nil` without any.
    package let figures: ProgressFigures?
    /// The smallest and largest quantity of a day; `nil` without any.
    package let dailyQuantities: ClosedRange<Double>?
    /// The mean per day, over the days with figures, without an incomplete day unless the period is a day; `nil` without
    /// any, and for metrics that do not add up.
    package let averagePerDay: Double?
    /// The number of days of `averagePerDay`.
    package let averagedDays: Int
    /// The figure of each source alone, by name. Only sums combine over several days: other metrics have origins only if
    /// the period has one day with figures.
    package let origins: [OriginProgress]

    init(
        period: CalendarPeriod, within days: DayRange, recorded: [DailyProgress], kind: MetricDefinition.Kind,
        incomplete: CalendarDay?
    ) {
        self.period = period
        self.days = period.days.intersection(days) ?? period.days
        recordedDays = recorded.count
        figures = kind.combined(recorded.map(\.figures))
        dailyQuantities = recorded.map(\.figures.quantity).bounds
        let averaged = period.unit == .day ? recorded : recorded.filter { $0.day != incomplete }
        averagePerDay = kind.average(of: averaged)
        averagedDays = averaged.count
        guard kind == .sum || recorded.count == 1 else {
            origins = []
            return
        }
        var quantities: [ExactText: Double] = [:]
        for origin in recorded.flatMap(\.origins) {
            quantities[ExactText(origin.sourceName), default: 0] += origin.quantity
        }
        origins = quantities.sorted { $0.key < $1.key }.map {
            OriginProgress(sourceName: $0.key.text, quantity: $0.value)
        }
    }
}

extension [Double] {
    /// The range from the smallest to the largest number; `nil` without any.
    var bounds: ClosedRange<Double>? {
        guard let low = self.min(), let high = self.max() else { return nil }
        return low...high
    }
}

/// Steps of one day, week, month or year.
package struct StepsPeriod: Hashable, Sendable {
    package let period: CalendarPeriod
    /// The days of the period that were asked for.
    package let days: DayRange
    /// Number of days on which steps were counted.
    package let recordedDays: Int
    /// Sum over the days; `nil` where nothing was counted.
    package let total: Double?
    /// What each source alone would have said, by name.
    package let origins: [OriginProgress]

    init(period: CalendarPeriod, within days: DayRange, recorded: [DailyProgress]) {
        self.period = period
        self.days = period.days.intersection(days) ?? period.days
        recordedDays = recorded.count
        total = recorded.isEmpty ? nil : recorded.reduce(0) { $0 + $1.figures.quantity }
        var quantities: [String: Double] = [:]
        for origin in recorded.flatMap(\.origins) { quantities[origin.sourceName, default: 0] += origin.quantity }
        origins = quantities.sorted { $0.key < $1.key }.map {
            OriginProgress(sourceName: $0.key, quantity: $0.value)
        }
    }

    /// Mean over the days on which steps were counted; `nil` without any.
    package var averagePerDay: Double? { total.map { ($0 / Double(recordedDays)).asFigure } }
}

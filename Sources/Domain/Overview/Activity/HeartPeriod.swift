/// Heart rate of one day, week, month or year, per minute.
package struct HeartPeriod: Hashable, Sendable {
    package let period: CalendarPeriod
    /// The selected days of the period.
    package let days: DayRange
    /// The number of days with measurements.
    package let recordedDays: Int
    /// The lowest, mean and highest of all measurements; `nil` without any.
    package let figures: ProgressFigures?
    /// The lowest and highest mean of a day; `nil` without any.
    package let dailyMeans: ClosedRange<Double>?
    /// The mean of the days' resting heart rates; `nil` without any.
    package let averageResting: Double?

    init(period: CalendarPeriod, within days: DayRange, recorded: [HeartDay]) {
        self.period = period
        self.days = period.days.intersection(days) ?? period.days
        recordedDays = recorded.count
        figures = .merged(recorded.lazy.compactMap(\.figures))
        dailyMeans = recorded.compactMap { $0.figures?.quantity }.bounds
        averageResting = HeartDay.averageResting(of: recorded)
    }
}

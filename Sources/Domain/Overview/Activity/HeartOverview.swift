/// Heart rate and resting heart rate over a range of days, per minute.
package struct HeartOverview: Hashable, Sendable {
    /// The selected days.
    package let days: DayRange
    /// The days with either rate, ascending.
    package let recorded: [HeartDay]

    /// Creates an overview of `days`. Ignores other metrics and days in `progress`, which may lack hours.
    package init(days: DayRange, progress: [DailyProgress]) {
        self.days = days
        var recorded: [CalendarDay: HeartDay] = [:]
        recorded.reserveCapacity(min(days.count, progress.count))
        for item in progress where days.contains(item.day) {
            switch item.metric {
            case .heartRate:
                recorded[item.day, default: HeartDay(day: item.day)].figures = item.figures
                recorded[item.day]?.hours = item.hours
            case .restingHeartRate:
                recorded[item.day, default: HeartDay(day: item.day)].resting = item.figures.quantity
            default: break
            }
        }
        self.recorded = recorded.values.sorted { $0.day < $1.day }
    }

    /// The lowest, mean and highest of all measurements; `nil` without any.
    package var figures: ProgressFigures? { .merged(recorded.lazy.compactMap(\.figures)) }

    /// The mean of the days' resting heart rates; `nil` without any.
    package var averageResting: Double? { HeartDay.averageResting(of: recorded) }

    /// Returns the days, weeks, months or years of the range, ascending, including those without measurements. A period
    /// that extends beyond the range contains only its selected days.
    package func periods(_ unit: CalendarPeriod.Unit) -> [HeartPeriod] {
        CalendarPeriod.periods(unit, of: days, dividing: recorded, by: \.day).map { period, own in
            HeartPeriod(period: period, within: days, recorded: own)
        }
    }
}

extension HeartOverview {
    /// The least length of the days in a trend.
    private static let leastTrendDays = 365
    /// The least number of days with a resting heart rate in a trend.
    private static let leastTrendRates = 60

    /// The change of the resting heart rate in a year of 365.25 days: the slope of the line through the days by least
    /// squares; `nil` if they span less than a year or are too few.
    package var restingChangePerYear: Double? {
        let rates = recorded.compactMap { day in day.resting.map { (Double(day.day.ordinal), $0) } }
        guard let first = rates.first, let last = rates.last, rates.count >= Self.leastTrendRates,
            last.0 - first.0 >= Double(Self.leastTrendDays - 1)
        else { return nil }
        let count = Double(rates.count)
        let middle = rates.reduce(0) { $0 + $1.0 - first.0 } / count + first.0
        let mean = rates.reduce(0) { $0 + $1.1 } / count
        let products = rates.reduce(0) { $0 + ($1.0 - middle) * ($1.1 - mean) }
        let squares = rates.reduce(0) { $0 + ($1.0 - middle) * ($1.0 - middle) }
        return (products / squares * 365.25).asFigure
    }
}

/// Heart rate of one day, per minute.
package struct HeartDay: Hashable, Sendable {
    package let day: CalendarDay
    /// The lowest, mean and highest rate; `nil` if only the resting heart rate is known.
    package internal(set) var figures: ProgressFigures?
    /// The resting heart rate that the device reports.
    package internal(set) var resting: Double?
    /// The figures of hours with measurements.
    package internal(set) var hours: [HourProgress] = []

    init(day: CalendarDay) { self.day = day }

    static func averageResting(of days: some Sequence<HeartDay>) -> Double? {
        let resting = days.compactMap(\.resting)
        return resting.isEmpty ? nil : (resting.reduce(0, +) / Double(resting.count)).asFigure
    }
}

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

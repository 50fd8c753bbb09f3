/// Heart rate and resting heart rate over a stretch of days, per minute.
package struct HeartOverview: Hashable, Sendable {
    /// The days asked for.
    package let days: DayRange
    /// The days on which either was measured, ascending.
    package let recorded: [HeartDay]

    /// An overview of `days` from `progress`, of which other metrics and days are left out. Hours may be absent.
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

    /// Lowest, mean and highest of all measurements; `nil` without any.
    package var figures: ProgressFigures? { .merged(recorded.lazy.compactMap(\.figures)) }

    /// Mean of the days' resting heart rates; `nil` without any.
    package var averageResting: Double? { HeartDay.averageResting(of: recorded) }

    /// The days, weeks, months or years of the stretch, ascending, those without measurements too. Of a period that
    /// reaches beyond the stretch only the days within count.
    package func periods(_ unit: CalendarPeriod.Unit) -> [HeartPeriod] {
        CalendarPeriod.periods(unit, of: days, dividing: recorded, by: \.day).map { period, own in
            HeartPeriod(period: period, within: days, recorded: own)
        }
    }
}

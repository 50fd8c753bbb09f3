extension SleepAverages {
    /// Means over the nights of one day, week, month or year.
    package struct Period: Hashable, Sendable {
        package let period: CalendarPeriod
        /// The selected days of the period.
        package let days: DayRange
        /// The number of nights that have a main sleep.
        package let recordedDays: Int
        /// `nil` if no night has sleep.
        package let averages: SleepAverages?
    }
}

extension SleepOverview {
    /// Returns the means of the days, weeks, months or years of the range, ascending, including those without nights. A
    /// period that extends beyond the range contains only its selected days.
    package func averages(by unit: CalendarPeriod.Unit) -> [SleepAverages.Period] {
        CalendarPeriod.periods(unit, of: days, dividing: nights, by: \.day).map { period, nights in
            SleepAverages.Period(
                period: period, days: period.days.intersection(days) ?? period.days, recordedDays: nights.count,
                averages: SleepAverages(of: nights))
        }
    }
}

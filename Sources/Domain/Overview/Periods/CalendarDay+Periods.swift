extension CalendarDay {
    /// Returns the same day of the month `months` later (earlier if negative), or the last day of a shorter month.
    package func advanced(byMonths months: Int) -> CalendarDay {
        let (year, month, day) = components
        let index = year * 12 + month - 1 + months
        let (newYear, newMonth) = (index.flooredQuotient(by: 12), index - index.flooredQuotient(by: 12) * 12 + 1)
        let length = Self.length(ofMonth: newMonth, year: newYear)
        return CalendarDay(ordinal: Self.ordinal(year: newYear, month: newMonth, day: min(day, length)))
    }

    /// The year and number of the week that contains the day (ISO 8601: weeks begin on Monday, and the first week of a
    /// year contains its first Thursday).
    package var isoWeek: (year: Int, week: Int) {
        let thursday = advanced(by: 4 - isoWeekday)
        let year = thursday.components.year
        let newYear = Self.ordinal(year: year, month: 1, day: 1)
        return (year, (thursday.ordinal - newYear) / 7 + 1)
    }
}

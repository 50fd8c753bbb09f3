extension CalendarDay {
    /// The English abbreviation: `Mon`.
    package var weekdayName: String { ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][isoWeekday - 1] }

    /// The weekday and the date: `Mon 2024-01-15`.
    package var nameAndDate: String { "\(weekdayName) \(self)" }

    /// The date in a sentence: `31 Dec 2025`.
    package var dateInWords: String {
        let (year, month, day) = components
        return "\(day) \(Self.monthName(month)) \(year)"
    }

    /// Returns `Jan` for 1 to `Dec` for 12.
    package static func monthName(_ month: Int) -> String {
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][(month + 11) % 12]
    }
}

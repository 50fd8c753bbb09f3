import HealthSyncDomain

/// Best days and streaks in words.
enum RecordText {
    /// Returns `12,345` with its day below.
    static func day(_ record: DailyQuantity, _ figure: (Double) -> Markup) -> Markup {
        figure(record.quantity) + .tag("span", [.class("below")], Figure.day(record.day))
    }

    /// Returns `1,023 days` with the first and the last of them below.
    static func streak(_ days: DayRange, _ numbers: NumberForm) -> Markup {
        let count =
            Figure.number(Double(days.count), numbers.whole(Double(days.count))) + (days.count == 1 ? " day" : " days")
        let ends = days.count == 1 ? Figure.day(days.first) : Figure.day(days.first) + " to " + Figure.day(days.last)
        return count + .tag("span", [.class("below")], ends)
    }
}

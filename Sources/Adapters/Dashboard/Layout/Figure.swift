import HealthSyncDomain

/// Numbers, days and times as elements with the exact value in an attribute.
enum Figure {
    /// Returns `<data value="9432">9,432</data>`.
    static func number(_ value: Double, _ text: String) -> Markup {
        .tag("data", [.init("value", CanonicalNumber.text(value))], .text(text))
    }

    /// Returns `Mon 15 Jan 2024`, with the day in the `datetime` attribute.
    static func day(_ day: CalendarDay) -> Markup {
        .tag("time", [.init("datetime", "\(day)")], .text(dayText(day)))
    }

    /// Returns `Mon 15 Jan 2024`.
    static func dayText(_ day: CalendarDay) -> String { "\(day.weekdayName) \(day.dateInWords)" }

    /// Returns the name of an hour, day or longer period on one line: `Jan 2024`.
    static func period(_ name: String) -> Markup { .tag("span", [.class("whole")], .text(name)) }

    /// Returns `15 Jan 2024 to 17 Jan 2024`, or the only day.
    static func days(_ days: DayRange) -> Markup {
        func date(_ day: CalendarDay) -> Markup {
            .tag("time", [.init("datetime", "\(day)")], .text(day.dateInWords))
        }
        return days.count == 1 ? date(days.first) : date(days.first) + " to " + date(days.last)
    }
}

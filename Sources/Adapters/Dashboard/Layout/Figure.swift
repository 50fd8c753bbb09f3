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

    /// Returns `7 h 32 min`.
    static func duration(milliseconds: Int64) -> String {
        let minutes = (milliseconds + 30_000) / 60_000
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// Returns minutes as `7 h 32 min`; a number of minutes that is longer than any life has no hours.
    static func duration(minutes: Double) -> String {
        guard minutes.magnitude < 1e9 else { return "\(minutes) min" }
        return duration(milliseconds: Int64((minutes * 60_000).rounded()))
    }
}

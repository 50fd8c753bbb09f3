import HealthSyncDomain

/// Numbers, days and times as elements that carry their exact value beside what a person reads.
enum Figure {
    /// `<data value="9432">9,432</data>`.
    static func number(_ value: Double, _ text: String) -> Markup {
        .tag("data", [.init("value", CanonicalNumber.text(value))], .text(text))
    }

    /// `Mon 2024-01-15`, in which the day can be read by a program.
    static func day(_ day: CalendarDay) -> Markup {
        .tag("time", [.init("datetime", "\(day)")], "\(weekday(day)) \(day)")
    }

    /// The hour and minute on a wall clock `offsetSeconds` east of UTC.
    static func time(_ instant: Instant, offsetSeconds: Int64) -> Markup {
        time(instant, offsetSeconds: offsetSeconds, text: clockTime(instant, offsetSeconds: offsetSeconds))
    }

    /// The same with other words for the time.
    static func time(_ instant: Instant, offsetSeconds: Int64, text: String) -> Markup {
        .tag("time", [.init("datetime", RFC3339.string(instant, offsetSeconds: offsetSeconds))], .text(text))
    }

    /// Day, hour and minute on that wall clock.
    static func moment(_ instant: Instant, offsetSeconds: Int64) -> Markup {
        let text = RFC3339.string(instant, offsetSeconds: offsetSeconds)
        return .tag(
            "time", [.init("datetime", text)], "\(String(text.prefix(10))) \(String(text.dropFirst(11).prefix(5)))")
    }

    /// `22:58`.
    static func clockTime(_ instant: Instant, offsetSeconds: Int64) -> String {
        String(RFC3339.string(instant, offsetSeconds: offsetSeconds).dropFirst(11).prefix(5))
    }

    /// `Mon`.
    static func weekday(_ day: CalendarDay) -> String {
        ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][day.isoWeekday - 1]
    }

    /// `Jan`.
    static func month(_ month: Int) -> String {
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][(month + 11) % 12]
    }

    /// `7 h 32 min`.
    static func duration(milliseconds: Int64) -> String {
        let minutes = (milliseconds + 30_000) / 60_000
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}

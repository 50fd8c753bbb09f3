import HealthSyncDomain

/// Days in command lines and in text output.
enum DayText {
    /// The help for an argument that is a day.
    static let advice = "A day, YYYY-MM-DD, or \"today\" or \"yesterday\""

    /// Returns the day that `text` names. Throws `.usage` for an invalid date.
    static func day(_ text: String, today: CalendarDay) throws(SyncFailure) -> CalendarDay {
        switch text {
        case "today": return today
        case "yesterday": return today.advanced(by: -1)
        default:
            guard let day = CalendarDay(text) else {
                throw .usage(
                    "DAY", "invalid date \"\(text)\"",
                    advice: "write a calendar day as YYYY-MM-DD, or \"today\" or \"yesterday\"")
            }
            return day
        }
    }

    /// Returns a label: `Mon 2024-01-15`, `2024-W03`, `2024-01` or `2024`.
    static func label(_ period: CalendarPeriod) -> String {
        period.unit == .day ? period.days.first.nameAndDate : "\(period)"
    }

    /// Returns `2024-01-15`, or `2024-01-09 to 2024-01-15`.
    static func range(_ days: DayRange) -> String {
        days.count == 1 ? days.first.nameAndDate : "\(days.first) to \(days.last)"
    }

    /// Returns the message that nothing is recorded on `days`, with the latest day that has records, or else with the
    /// `remedy`.
    static func nothing(_ what: String, on days: DayRange, latest: CalendarDay?, remedy: String? = nil) -> String {
        guard let latest else { return "\(what): nothing recorded yet" + (remedy.map { "; \($0)" } ?? "") }
        let known = "the latest day with records is \(latest)"
        guard days.count > 1 else { return "\(what): nothing recorded on \(days.first); \(known)" }
        return "\(what): nothing recorded from \(days.first) to \(days.last); \(known) (--to \(latest))"
    }
}

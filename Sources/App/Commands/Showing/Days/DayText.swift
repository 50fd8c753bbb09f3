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

    /// The help for an argument that is a day or a period of the calendar.
    static let periodAdvice = "A day, YYYY-MM-DD, \"today\" or \"yesterday\", a month, YYYY-MM, or a year, YYYY"

    /// Returns the days that `text` names: one, or those of a month or year. Throws `.usage` for anything else.
    static func days(_ text: String, today: CalendarDay) throws(SyncFailure) -> DayRange {
        let numbers = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isPeriod = numbers.count < 3 && numbers.allSatisfy { $0.allSatisfy { (0x30...0x39).contains($0) } }
        if isPeriod, numbers[0].count == 4, numbers.count == 1 || numbers[1].count == 2 {
            let month = numbers.count == 1 ? "\(text)-01" : text
            if let first = CalendarDay("\(month)-01") {
                return CalendarPeriod(numbers.count == 1 ? .year : .month, holding: first).days
            }
        }
        return DayRange(try day(text, today: today))
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

package import HealthSyncDomain

/// A command line after parsing: which command, which options with which values, which arguments.
package struct ParsedCommand: Sendable, Hashable {
    /// The words that name the command; empty when none was named.
    package var path: [String] = []
    /// Values by option name, in the order given; an option without a value has one empty text.
    package var values: [String: [String]] = [:]
    /// Words that are neither options nor the command.
    package var arguments: [String] = []

    package init() {}

    /// Whether the option was given.
    package func has(_ option: String) -> Bool { values[option] != nil }

    /// The value of an option.
    package func text(_ option: String) -> String? { values[option]?.last }

    /// All values of an option that repeats.
    package func texts(_ option: String) -> [String] { values[option] ?? [] }

    /// The value of an option as a whole number within `range`.
    package func integer(_ option: String, in range: ClosedRange<Int>) throws(SyncFailure) -> Int? {
        guard let text = text(option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .usage(
                "--\(option)", "\"\(text)\" is not a whole number from \(range.lowerBound) to \(range.upperBound)",
                advice: "give a number in that range")
        }
        return number
    }

    /// The value of an option as a calendar day.
    package func day(_ option: String) throws(SyncFailure) -> CalendarDay? {
        guard let text = text(option) else { return nil }
        guard let day = CalendarDay(text) else {
            throw .usage(
                "--\(option)", "\"\(text)\" is not a day of the calendar", advice: "write it as YYYY-MM-DD")
        }
        return day
    }

    /// The days from option `from` to option `to`, either of which may be absent.
    package func days(from: String, to: String) throws(SyncFailure) -> (first: CalendarDay?, last: CalendarDay?) {
        let first = try day(from)
        let last = try day(to)
        if let first, let last, last < first {
            throw .usage(
                "--\(from)", "\(first) lies after --\(to) \(last)", advice: "give the earlier day as --\(from)")
        }
        return (first, last)
    }

    /// The days from `--from` to `--to`; without one of them as far as the calendar goes, `nil` without both.
    package func dayRange() throws(SyncFailure) -> DayRange? {
        let days = try days(from: "from", to: "to")
        if days.first == nil, days.last == nil { return nil }
        // The first and the last day that a calendar day can be read as.
        let widest = (first: CalendarDay(ordinal: -719_162), last: CalendarDay(ordinal: 2_932_896))
        return DayRange(days.first ?? widest.first, through: days.last ?? widest.last)
    }

    /// The value of an option as names with commas between them.
    package func names(_ option: String) throws(SyncFailure) -> [String]? {
        guard let text = text(option) else { return nil }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(\.withoutOuterSpaces)
        guard names.allSatisfy({ !$0.isEmpty }) else {
            throw .usage("--\(option)", "\"\(text)\" has an empty name", advice: "write names with commas between them")
        }
        return names
    }
}

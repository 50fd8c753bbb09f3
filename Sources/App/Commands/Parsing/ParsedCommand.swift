package import HealthSyncDomain

/// A parsed command line: the command, its options and its arguments.
package struct ParsedCommand: Sendable, Hashable {
    /// The words that name the command; empty without a command.
    package var path: [String] = []
    /// Values by option name, in the order given; a flag has one empty value.
    package var values: [String: [String]] = [:]
    /// Words that are neither options nor the command.
    package var arguments: [String] = []

    /// What the command uses beyond the local database; `nil` without a command.
    package var uses: Set<CommandDeclaration.Use>?

    package init() {}

    /// Returns whether the option was given.
    package func has(_ option: String) -> Bool { values[option] != nil }

    /// Returns the value of an option.
    package func text(_ option: String) -> String? { values[option]?.last }

    /// Returns all values of a repeatable option.
    package func texts(_ option: String) -> [String] { values[option] ?? [] }

    /// Returns the value of an option as a whole number. Throws `.usage` if it is not in `range`.
    package func integer(_ option: String, in range: ClosedRange<Int>) throws(SyncFailure) -> Int? {
        guard let text = text(option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .usage(
                "--\(option)", "invalid number \"\(text)\"",
                advice: "use a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns the value of an option as a calendar day. Throws `.usage` if it is not a valid date.
    package func day(_ option: String) throws(SyncFailure) -> CalendarDay? {
        guard let text = text(option) else { return nil }
        guard let day = CalendarDay(text) else {
            throw .usage(
                "--\(option)", "invalid date \"\(text)\"", advice: "write a calendar day as YYYY-MM-DD")
        }
        return day
    }

    /// Returns the days of the options `from` and `to`, either of which may be absent. Throws `.usage` for an invalid
    /// date, or if the first day is after the last.
    package func days(from: String, to: String) throws(SyncFailure) -> (first: CalendarDay?, last: CalendarDay?) {
        let first = try day(from)
        let last = try day(to)
        if let first, let last, last < first {
            throw .usage(
                "--\(from)", "\(first) is after --\(to) \(last)", advice: "give the earlier day as --\(from)")
        }
        return (first, last)
    }

    /// Returns the days from `--from` to `--to`, unbounded on a side without option; `nil` without both options. Throws
    /// like `days(from:to:)`.
    package func dayRange() throws(SyncFailure) -> DayRange? {
        let days = try days(from: "from", to: "to")
        if days.first == nil, days.last == nil { return nil }
        // The first and the last day that `CalendarDay` parses.
        let widest = (first: CalendarDay(ordinal: -719_162), last: CalendarDay(ordinal: 2_932_896))
        return DayRange(days.first ?? widest.first, through: days.last ?? widest.last)
    }

    /// Returns the names in the value of an option, separated by commas. Throws `.usage` if one of them is empty.
    package func names(_ option: String) throws(SyncFailure) -> [String]? {
        guard let text = text(option) else { return nil }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(\.withoutOuterSpaces)
        guard names.allSatisfy({ !$0.isEmpty }) else {
            throw .usage("--\(option)", "\"\(text)\" contains an empty name", advice: "separate names by single commas")
        }
        return names
    }
}

extension SyncFailure {
    /// Returns an error in the command line.
    static func usage(_ subject: String, _ reason: String, advice: String) -> SyncFailure {
        SyncFailure(.usage, subject: subject, reason: reason, advice: advice)
    }

    /// The error of a command that needs a server if none is configured.
    static var noServer: SyncFailure {
        .usage(
            "--server", "no server is configured",
            advice: "name one with --server or as server.url in the configuration")
    }

    /// Returns an error in the configuration or an environment variable.
    static func configuration(_ subject: String, _ reason: String, advice: String) -> SyncFailure {
        SyncFailure(.configuration, subject: subject, reason: reason, advice: advice)
    }
}

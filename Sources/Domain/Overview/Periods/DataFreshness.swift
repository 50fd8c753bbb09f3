/// How long ago the recorded data end. Commands and pages show the same words.
package struct DataFreshness: Hashable, Sendable {
    /// The last recorded day, up to today.
    package let last: CalendarDay
    /// The age of that day in days; at least 0.
    package let ageDays: Int

    /// Creates the freshness of data whose last day is `last`; `nil` if that is after `today`.
    package init?(last: CalendarDay, today: CalendarDay) {
        guard last <= today else { return nil }
        self.last = last
        ageDays = today.ordinal - last.ordinal
    }

    /// Whether the data end before yesterday, so that the latest figures are not those of today. Yesterday's data are
    /// fresh, because most exports are made once a day.
    package var isOld: Bool { ageDays > 1 }

    /// Where the data end: `Your data end on 31 Dec 2025, 11 months ago`.
    package var statement: String { "Your data end on \(last.dateInWords), \(age)" }

    /// What to do about old data.
    package static let remedy = "Export again, or connect the phone"

    /// The statement and, for old data, the remedy.
    package var text: String { isOld ? "\(statement). \(Self.remedy)" : statement }

    /// The age in words, rounded: days up to two weeks, weeks up to two months, months up to three years, then years.
    package var age: String {
        switch ageDays {
        case 0: "today"
        case 1: "yesterday"
        case 2..<14: "\(ageDays) days ago"
        case 14..<61: "\(Self.rounded(ageDays, by: 7)) weeks ago"
        case 61..<1096: "\(Self.rounded(ageDays, by: 30.436875)) months ago"
        default: "\(Self.rounded(ageDays, by: 365.2425)) years ago"
        }
    }

    private static func rounded(_ days: Int, by length: Double) -> Int { Int((Double(days) / length).rounded()) }
}

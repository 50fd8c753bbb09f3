/// A length of time that ends with a given day, as the user writes it: `1d`, `7d`, `2w`, `3mo`, `1y`, `month`.
package struct LookBack: Hashable, Sendable, CustomStringConvertible {
    /// The unit of the length.
    package enum Unit: String, Sendable, CaseIterable {
        case days = "d"
        case weeks = "w"
        case months = "mo"
        case years = "y"
    }

    /// At least 1.
    package let count: Int
    package let unit: Unit

    /// Creates a length of `count` units; `nil` for less than one unit or more than a hundred years.
    package init?(_ count: Int, _ unit: Unit) {
        guard (1...Self.limit(unit)).contains(count) else { return nil }
        self.count = count
        self.unit = unit
    }

    private static let words: [String: Unit] = ["day": .days, "week": .weeks, "month": .months, "year": .years]

    /// Parses a whole number directly followed by a unit, or the word for one; `nil` for anything else.
    package init?(_ text: String) {
        if let unit = Self.words[text] {
            self.init(1, unit)
            return
        }
        let digits = text.prefix { ("0"..."9").contains($0) }
        guard let count = Int(digits), let unit = Unit(rawValue: String(text.dropFirst(digits.count))) else {
            return nil
        }
        self.init(count, unit)
    }

    /// Returns the days that end with `last`: `1d` is that day alone; three months to 15 April begin on 16 January.
    package func days(through last: CalendarDay) -> DayRange {
        let first =
            switch unit {
            case .days: last.advanced(by: 1 - count)
            case .weeks: last.advanced(by: 1 - count * 7)
            case .months: last.advanced(byMonths: -count).advanced(by: 1)
            case .years: last.advanced(byMonths: -count * 12).advanced(by: 1)
            }
        return DayRange(last).widened(before: last.ordinal - first.ordinal, after: 0)
    }

    /// The form that `init(_:)` parses: `3mo`.
    package var description: String { "\(count)\(unit.rawValue)" }

    private static func limit(_ unit: Unit) -> Int {
        switch unit {
        case .days: 36_525
        case .weeks: 5_217
        case .months: 1_200
        case .years: 100
        }
    }
}

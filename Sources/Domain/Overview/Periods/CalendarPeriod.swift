/// A day, week, month or year of the calendar. Weeks begin on Monday (ISO 8601).
package struct CalendarPeriod: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The length of a period.
    package enum Unit: String, Sendable, CaseIterable {
        case day
        case week
        case month
        case year
    }

    package let unit: Unit
    /// The days of the period.
    package let days: DayRange

    /// Creates the period that contains `day`.
    package init(_ unit: Unit, holding day: CalendarDay) {
        self.unit = unit
        let (_, month, dayOfMonth) = day.components
        let first: CalendarDay
        let next: CalendarDay
        switch unit {
        case .day: (first, next) = (day, day.advanced(by: 1))
        case .week:
            first = day.advanced(by: 1 - day.isoWeekday)
            next = first.advanced(by: 7)
        case .month:
            first = day.advanced(by: 1 - dayOfMonth)
            next = first.advanced(byMonths: 1)
        case .year:
            first = day.advanced(by: 1 - dayOfMonth).advanced(byMonths: 1 - month)
            next = first.advanced(byMonths: 12)
        }
        days = DayRange(first).widened(before: 0, after: next.ordinal - first.ordinal - 1)
    }

    /// Returns the periods that contain any of `days`, ascending.
    package static func periods(_ unit: Unit, of days: DayRange) -> [CalendarPeriod] {
        var periods = [CalendarPeriod(unit, holding: days.first)]
        while let last = periods.last, last.days.last < days.last { periods.append(last.next) }
        return periods
    }

    /// Returns the periods that contain any of `days`, each with its records. `records` must be in order of `day`.
    package static func periods<Record>(
        _ unit: Unit, of days: DayRange, dividing records: [Record], by day: (Record) -> CalendarDay
    ) -> [(period: CalendarPeriod, records: [Record])] {
        var left = records[...]
        return periods(unit, of: days).map { period in
            let own = left.prefix { day($0) <= period.days.last }
            left = left.dropFirst(own.count)
            return (period, Array(own))
        }
    }

    /// Returns whether the period has days outside `complete`, the days whose data are complete; `nil` for none. The
    /// figures of such a period may change, or lack days before the first record.
    package func isPartial(within complete: DayRange?) -> Bool {
        guard let complete else { return true }
        return days.first < complete.first || complete.last < days.last
    }

    /// The following period.
    package var next: CalendarPeriod { CalendarPeriod(unit, holding: days.last.advanced(by: 1)) }

    /// The form of ISO 8601: `2024-01-15`, `2024-W03`, `2024-01`, `2024`.
    package var description: String {
        switch unit {
        case .day: return days.first.description
        case .week:
            let (year, week) = days.first.isoWeek
            return "\(CalendarDay.padded(year, 4))-W\(CalendarDay.padded(week, 2))"
        case .month: return String(days.first.description.prefix(7))
        case .year: return String(days.first.description.prefix(4))
        }
    }

    /// Compares chronologically.
    package static func < (left: CalendarPeriod, right: CalendarPeriod) -> Bool { left.days.first < right.days.first }
}

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

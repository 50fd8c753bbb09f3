/// A closed range of calendar days.
public struct DayRange: Hashable, Sendable, Sequence {
    /// The first day.
    public let first: CalendarDay
    /// The last day; never before the first.
    public let last: CalendarDay

    /// Creates the range from `first` to `last`; `nil` if `last` is earlier.
    public init?(_ first: CalendarDay, through last: CalendarDay) {
        guard first <= last else { return nil }
        self.first = first
        self.last = last
    }

    /// Creates the range of one day.
    public init(_ day: CalendarDay) {
        first = day
        last = day
    }

    /// The number of days, at least 1. Saturates instead of overflowing.
    public var count: Int {
        let (difference, overflow) = last.ordinal.subtractingReportingOverflow(first.ordinal)
        return overflow || difference == .max ? .max : difference + 1
    }

    /// Returns whether `day` is in the range.
    public func contains(_ day: CalendarDay) -> Bool { first <= day && day <= last }

    /// Answers the `contains` of `Sequence`, which otherwise compares each day. Generic code calls it, and so do some
    /// expressions in other modules.
    public func _customContainsEquatableElement(_ day: CalendarDay) -> Bool? { contains(day) }

    /// Returns the range extended by `before` days at the start and `after` days at the end.
    public func widened(before: Int, after: Int) -> DayRange {
        DayRange(uncheckedFirst: first.advanced(by: -before), last: last.advanced(by: after))
    }

    /// Returns the days common to both; `nil` if none exist.
    public func intersection(_ other: DayRange) -> DayRange? {
        DayRange(Swift.max(first, other.first), through: Swift.min(last, other.last))
    }

    /// Iterates over the days in ascending order.
    public func makeIterator() -> some IteratorProtocol<CalendarDay> {
        (first.ordinal...last.ordinal).lazy.map(CalendarDay.init(ordinal:)).makeIterator()
    }

    /// Groups `days`, which must be ascending, into ranges of at most `limit` days. Days with at most `gap` others
    /// between them are put into one range, which then includes the others.
    package static func runs(of days: [CalendarDay], atMost limit: Int, bridging gap: Int = 0) -> [DayRange] {
        var runs: [DayRange] = []
        for day in days {
            if let run = runs.last, day.ordinal - run.last.ordinal <= gap + 1,
                day.ordinal - run.first.ordinal < limit
            {
                runs[runs.count - 1] = DayRange(uncheckedFirst: run.first, last: day)
            } else {
                runs.append(DayRange(day))
            }
        }
        return runs
    }

    private init(uncheckedFirst first: CalendarDay, last: CalendarDay) {
        self.first = first
        self.last = last
    }
}

/// Calendar days from a first to a last one, both included.
public struct DayRange: Hashable, Sendable, Sequence {
    /// The first day.
    public let first: CalendarDay
    /// The last day, never before the first.
    public let last: CalendarDay

    /// The days from `first` to `last`, or `nil` when `last` is earlier.
    public init?(_ first: CalendarDay, through last: CalendarDay) {
        guard first <= last else { return nil }
        self.first = first
        self.last = last
    }

    /// That one day.
    public init(_ day: CalendarDay) {
        first = day
        last = day
    }

    /// Number of days, at least 1.
    public var count: Int { last.ordinal - first.ordinal + 1 }

    /// Whether `day` is among them.
    public func contains(_ day: CalendarDay) -> Bool { first <= day && day <= last }

    /// The same days with `before` more in front and `after` more behind.
    public func widened(before: Int, after: Int) -> DayRange {
        DayRange(uncheckedFirst: first.advanced(by: -before), last: last.advanced(by: after))
    }

    /// The days common to both, or `nil`.
    public func intersection(_ other: DayRange) -> DayRange? {
        DayRange(Swift.max(first, other.first), through: Swift.min(last, other.last))
    }

    /// The days in order.
    public func makeIterator() -> some IteratorProtocol<CalendarDay> {
        (first.ordinal...last.ordinal).lazy.map(CalendarDay.init(ordinal:)).makeIterator()
    }

    /// Groups `days` (in ascending order) into runs of neighbours, none longer than `limit` days; neighbours are days with
    /// at most `gap` others between them, which the run then holds too.
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

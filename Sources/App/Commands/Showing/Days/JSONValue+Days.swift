import HealthSyncDomain

extension JSONValue {
    /// `first` and `last`.
    static func days(_ days: DayRange) -> JSONValue {
        ["first": .string("\(days.first)"), "last": .string("\(days.last)")]
    }

    /// What every period says of itself: `period`, the days of it that were asked for, and on how many something was
    /// recorded.
    static func period(_ period: CalendarPeriod, days: DayRange, recordedDays: Int) -> [Member] {
        [
            Member(name: "period", value: .string("\(period)")),
            Member(name: "first", value: .string("\(days.first)")),
            Member(name: "last", value: .string("\(days.last)")),
            Member(name: "recordedDays", value: .count(recordedDays)),
        ]
    }

    /// Periods of the length that `grain` says, each as `members`; by hours they are days, each with its `hours` too.
    static func periods<Period>(
        by grain: ShownDays.Grain, _ periods: (CalendarPeriod.Unit) -> [Period], members: (Period) -> [Member],
        hours: (Period) -> [JSONValue]
    ) -> [JSONValue] {
        switch grain {
        case .period(let unit): periods(unit).map { .object(members($0)) }
        case .hour: periods(.day).map { .object(members($0) + [Member(name: "hours", value: .array(hours($0)))]) }
        }
    }

    /// The start of an hour, by the person's wall clock.
    static func hour(_ slot: HourSlot) -> JSONValue {
        .string(RFC3339.string(slot.interval.start, offsetSeconds: slot.offsetSeconds))
    }
}

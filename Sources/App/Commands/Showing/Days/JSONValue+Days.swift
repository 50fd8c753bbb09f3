import HealthSyncDomain

extension JSONValue {
    /// Returns `first` and `last`.
    static func days(_ days: DayRange) -> JSONValue {
        ["first": .string("\(days.first)"), "last": .string("\(days.last)")]
    }

    /// Returns the members of every period: `period`, its `first` and `last` selected day, and `recordedDays`.
    static func period(_ period: CalendarPeriod, days: DayRange, recordedDays: Int) -> [Member] {
        [
            Member(name: "period", value: .string("\(period)")),
            Member(name: "first", value: .string("\(days.first)")),
            Member(name: "last", value: .string("\(days.last)")),
            Member(name: "recordedDays", value: .count(recordedDays)),
        ]
    }

    /// Returns the periods of the length of `grain`, each with `members`; by hour these are days, each with `hours`.
    static func periods<Period>(
        by grain: ShownDays.Grain, _ periods: (CalendarPeriod.Unit) -> [Period], members: (Period) -> [Member],
        hours: (Period) -> [JSONValue]
    ) -> [JSONValue] {
        switch grain {
        case .period(let unit): periods(unit).map { .object(members($0)) }
        case .hour: periods(.day).map { .object(members($0) + [Member(name: "hours", value: .array(hours($0)))]) }
        }
    }

    /// Returns the start of an hour in RFC 3339, in the user's local time.
    static func hour(_ slot: HourSlot) -> JSONValue {
        .string(RFC3339.string(slot.interval.start, offsetSeconds: slot.offsetSeconds))
    }
}

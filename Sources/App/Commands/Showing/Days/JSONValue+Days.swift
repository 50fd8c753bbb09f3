import HealthSyncDomain

extension JSONValue {
    /// `first` and `last`.
    static func days(_ days: DayRange) -> JSONValue {
        ["first": .string("\(days.first)"), "last": .string("\(days.last)")]
    }

    /// The members of every period: `period`, its `first` and `last` selected day, and `recordedDays`.
    static func period(_ period: CalendarPeriod, days: DayRange, recordedDays: Int) -> [Member] {
        [
            Member(name: "period", value: .string("\(period)")),
            Member(name: "first", value: .string("\(days.first)")),
            Member(name: "last", value: .string("\(days.last)")),
            Member(name: "recordedDays", value: .count(recordedDays)),
        ]
    }

    /// Periods of the length of `grain`, each with `members`; by hour they are days, each also with its `hours`.
    static func periods<Period>(
        by grain: ShownDays.Grain, _ periods: (CalendarPeriod.Unit) -> [Period], members: (Period) -> [Member],
        hours: (Period) -> [JSONValue]
    ) -> [JSONValue] {
        switch grain {
        case .period(let unit): periods(unit).map { .object(members($0)) }
        case .hour: periods(.day).map { .object(members($0) + [Member(name: "hours", value: .array(hours($0)))]) }
        }
    }

    /// The start of an hour, by the user's wall clock.
    static func hour(_ slot: HourSlot) -> JSONValue {
        .string(RFC3339.string(slot.interval.start, offsetSeconds: slot.offsetSeconds))
    }
}

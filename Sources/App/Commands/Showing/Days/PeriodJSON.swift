import HealthSyncDomain

extension JSONValue {
    /// Returns the members of every period: `period`, its `first` and `last` selected day, and `recordedDays`.
    static func period(_ period: CalendarPeriod, days: DayRange, recordedDays: Int) -> JSONValue {
        [
            "period": "\(period)",
            "first": days.first,
            "last": days.last,
            "recordedDays": recordedDays,
        ]
    }

    /// Returns the periods of the length of `grain`, each with `members`; by hour these are days, each with `hours`.
    static func periods<Period>(
        by grain: ShownDays.Grain, _ periods: (CalendarPeriod.Unit) -> [Period], members: (Period) -> JSONValue,
        hours: (Period) -> [JSONValue]
    ) -> [JSONValue] {
        switch grain {
        case .period(let unit): periods(unit).map(members)
        case .hour: periods(.day).map { .joined(members($0), ["hours": hours($0)]) }
        }
    }

    /// Returns the start of an hour in RFC 3339, in the user's local time.
    static func hour(_ slot: HourSlot) -> String {
        RFC3339.string(slot.interval.start, offsetSeconds: slot.offsetSeconds)
    }
}

import HealthSyncDomain

/// The days of an export and the user's time zones on them.
struct Timeline: Sendable {
    let days: DayRange
    let clock: DayClock
    /// The first second of each day, from one day before `days` to two days after.
    private let starts: [Int64]

    init(days: DayRange, clock: DayClock) {
        self.days = days
        self.clock = clock
        starts = days.widened(before: 1, after: 2).map { clock.start(of: $0).seconds }
    }

    /// Returns the index of `day` in `days`, 0 for the first.
    func index(of day: CalendarDay) -> Int { day.ordinal - days.first.ordinal }

    /// Returns the interval from the start of `day` to the start of the next day; `day` may be one day outside `days`.
    func span(of day: CalendarDay) -> Span {
        let place = index(of: day) + 1
        return Span(start: starts[place], end: starts[place + 1])
    }

    /// Returns the instant at which local time is midnight of `day` plus `seconds`, which may be negative.
    func moment(on day: CalendarDay, secondsFromMidnight seconds: Int64) -> Int64 {
        let rules = clock.rules(on: day)
        let wall = Int64(day.ordinal) * 86_400 + seconds
        let guess = wall - rules.offsetSeconds(at: Instant(seconds: wall))
        return wall - rules.offsetSeconds(at: Instant(seconds: guess))
    }

    func zoneName(on day: CalendarDay) -> String { clock.rules(on: day).identifier }

    /// Returns whether the user woke up in another zone than on the day before.
    func changesZone(on day: CalendarDay) -> Bool {
        zoneName(on: day) != zoneName(on: day.advanced(by: -1))
    }
}

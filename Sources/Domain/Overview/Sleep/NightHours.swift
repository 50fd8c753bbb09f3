/// The hours of a night on the user's wall clock.
package struct NightHours: Hashable, Sendable {
    /// The day for which the night counts.
    package let day: CalendarDay
    /// Minutes on the wall clock after noon of the day before `day`.
    package let start: Double
    /// Minutes on the wall clock after noon of the day before `day`; not before `start`, except that a clock that is set
    /// back may show an earlier time.
    package let end: Double
    /// The milliseconds asleep; `nil` if only the time in bed is known.
    package let asleep: Int64?

    /// Creates the hours of `night`. Its times are on the clock of the session if that differs from `clock`.
    package init(_ night: NightTimes, clock: DayClock) {
        let isAtHome = clock.offsetSeconds(at: night.interval.start) == night.offsetSeconds
        let noon = night.day.utcStart.milliseconds - CalendarDay.millisecondsPerDay / 2
        func minutes(_ instant: Instant) -> Double {
            let offset = isAtHome ? clock.offsetSeconds(at: instant) : night.offsetSeconds
            return Double(instant.milliseconds + offset * 1000 - noon) / 60_000
        }
        day = night.day
        start = minutes(night.interval.start)
        end = minutes(night.interval.end)
        asleep = night.asleep
    }

    /// The middle between start and end, in minutes after noon of the day before.
    package var middle: Double { (start + end) / 2 }

    /// Whether the night ends on a Saturday or Sunday.
    package var isWeekend: Bool { day.isoWeekday >= 6 }
}

/// A clock that decides to which day sleep belongs: that of one zone, wherever the user is before and after.
package struct SleepClock {
    private let offsetSeconds: (Instant) -> Int64

    /// Creates the clock of a zone.
    package init(_ rules: ZoneRules) { offsetSeconds = rules.offsetSeconds }

    /// Creates a clock that is always `offsetSeconds` east of UTC.
    package init(offsetSeconds: Int64) { self.offsetSeconds = { _ in offsetSeconds } }

    /// Sleep that begins from 21:00 to 9:00 may be a part of a night, in seconds of the day.
    package static let nightBegins: Int64 = 21 * 3_600
    package static let nightEnds: Int64 = 9 * 3_600
    /// Sleep of 90 minutes that begins from 18:00 to noon may be a part of a night, too.
    package static let evening: Int64 = 18 * 3_600
    package static let noon: Int64 = 12 * 3_600
    /// Milliseconds.
    package static let nightSleep: Int64 = 90 * 60_000
    /// A short sleep by day that ends before 22:00 is a nap.
    private static let napsEnd: Int64 = 22 * 3_600

    /// Returns the date at `instant`.
    package func date(_ instant: Instant) -> CalendarDay { CalendarDay(utcDayOf: local(instant)) }

    /// Returns the seconds from midnight to the time that the clock shows at `instant`.
    package func secondsOfDay(_ instant: Instant) -> Int64 {
        let local = local(instant)
        return (local.milliseconds - CalendarDay(utcDayOf: local).utcStart.milliseconds).flooredQuotient(by: 1_000)
    }

    /// Returns the day of sleep from `start` to `end`: the date of the end, or the next one if it began in the evening of
    /// that date.
    package func nightDay(from start: Instant, to end: Instant) -> CalendarDay {
        let date = date(end)
        return local(start) >= date.utcStart.advanced(bySeconds: Self.evening) ? next(after: date, near: end) : date
    }

    /// Returns whether sleep begins by day and ends before late evening of the same date.
    package func isByDay(_ sleep: InstantRange) -> Bool {
        let begin = secondsOfDay(sleep.start)
        guard begin >= Self.nightEnds, begin < Self.nightBegins else { return false }
        return local(sleep.end) < date(sleep.start).utcStart.advanced(bySeconds: Self.napsEnd)
    }

    private func local(_ instant: Instant) -> Instant { instant.advanced(bySeconds: offsetSeconds(instant)) }

    /// Returns the next date after `day` that the zone has: Samoa had no 30 December 2011.
    private func next(after day: CalendarDay, near instant: Instant) -> CalendarDay {
        let next = day.advanced(by: 1)
        let noon = next.utcStart.advanced(bySeconds: Self.noon)
        let exists = [instant, noon].contains { other in
            date(noon.advanced(bySeconds: -offsetSeconds(other))) == next
        }
        return exists ? next : next.advanced(by: 1)
    }
}

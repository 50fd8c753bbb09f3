/// A rule that applies to every year: a POSIX `TZ` string such as `CET-1CEST,M3.5.0,M10.5.0/3`, with the extended
/// range of hours defined in RFC 9636, section 3.3.2.
package struct PosixZoneRule: Sendable, Hashable {
    /// A change of the offset, both in seconds.
    struct Change: Sendable, Hashable {
        var instant: Int64
        /// East of UTC.
        var offset: Int64
    }

    /// The yearly time of a clock change.
    struct YearlyTime: Sendable, Hashable {
        enum Day: Sendable, Hashable {
            /// Day 1 to 365, not counting 29 February.
            case withoutLeapDay(Int)
            /// Day 0 to 365, counting 29 February.
            case withLeapDay(Int)
            /// The `week`th `weekday` (0 for Sunday) of `month`; week 5 is the last one.
            case weekday(month: Int, week: Int, weekday: Int)
        }

        var day: Day
        /// Seconds after midnight by the clock before the change; may be negative or longer than a day.
        var seconds: Int64
    }

    /// Daylight saving time, or another meaning of the second name in the string.
    struct Daylight: Sendable, Hashable {
        var offset: Int64
        var start: YearlyTime
        var end: YearlyTime
    }

    /// Seconds east of UTC outside daylight saving time.
    let standard: Int64
    let daylight: Daylight?

    /// Parses the string; `nil` if it is malformed or names daylight saving time without its dates.
    init?(_ text: [UInt8]) {
        var reader = PosixZoneReader(text)
        guard reader.skipName(), let west = reader.time(hours: 24) else { return nil }
        standard = -west
        if reader.isAtEnd {
            daylight = nil
            return
        }
        guard reader.skipName() else { return nil }
        var offset = standard + 3600
        if reader.next != UInt8(ascii: ",") {
            guard let west = reader.time(hours: 24) else { return nil }
            offset = -west
        }
        guard reader.skip(","), let start = reader.yearlyTime(), reader.skip(","), let end = reader.yearlyTime(),
            reader.isAtEnd
        else { return nil }
        daylight = Daylight(offset: offset, start: start, end: end)
    }

    /// Returns the offset at `instant`.
    func offset(at instant: Int64) -> Int64 {
        let year = Self.year(of: instant)
        let changes = (year - 1...year + 1).flatMap(changes(in:)).sorted(by: isBefore)
        return changes.last { $0.instant <= instant }?.offset ?? standard
    }

    /// Returns the changes after `begin` and before `end`, in order.
    func changes(after begin: Int64, before end: Int64) -> [Change] {
        guard daylight != nil, begin < end else { return [] }
        return (Self.year(of: begin) - 1...Self.year(of: end) + 1).flatMap(changes(in:)).sorted(by: isBefore)
            .filter { begin < $0.instant && $0.instant < end }
    }

    private func changes(in year: Int) -> [Change] {
        guard let daylight else { return [] }
        return [
            Change(instant: daylight.start.wallSeconds(in: year) - standard, offset: daylight.offset),
            Change(instant: daylight.end.wallSeconds(in: year) - daylight.offset, offset: standard),
        ]
    }

    /// If daylight saving time ends at the instant at which it starts again, it continues.
    private func isBefore(_ left: Change, _ right: Change) -> Bool {
        (left.instant, left.offset == standard ? 0 : 1) < (right.instant, right.offset == standard ? 0 : 1)
    }

    private static func year(of instant: Int64) -> Int {
        CalendarDay(utcDayOf: Instant(seconds: min(max(instant, ZoneRules.firstSecond), ZoneRules.lastSecond)))
            .components.year
    }
}

extension PosixZoneRule.YearlyTime {
    /// Returns the seconds from 1970 to the change in `year` by the wall clock before it.
    fileprivate func wallSeconds(in year: Int) -> Int64 { Int64(ordinal(in: year)) * 86_400 + seconds }

    private func ordinal(in year: Int) -> Int {
        let newYear = CalendarDay.ordinal(year: year, month: 1, day: 1)
        switch day {
        case .withoutLeapDay(let number):
            return newYear + number - 1 + (number >= 60 && CalendarDay.length(ofMonth: 2, year: year) == 29 ? 1 : 0)
        case .withLeapDay(let number): return newYear + number
        case .weekday(let month, let week, let weekday):
            let first = CalendarDay(ordinal: CalendarDay.ordinal(year: year, month: month, day: 1))
            let day = (weekday - first.isoWeekday % 7 + 7) % 7 + (week - 1) * 7
            return first.ordinal + (day < CalendarDay.length(ofMonth: month, year: year) ? day : day - 7)
        }
    }
}

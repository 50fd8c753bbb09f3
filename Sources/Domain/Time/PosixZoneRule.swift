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
    private struct Daylight: Sendable, Hashable {
        var offset: Int64
        var start: YearlyTime
        var end: YearlyTime
    }

    /// Seconds east of UTC outside daylight saving time.
    let standard: Int64
    private let daylight: Daylight?

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

/// Parses the parts of a POSIX `TZ` string in order.
private struct PosixZoneReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// The next byte.
    var next: UInt8? { isAtEnd ? nil : bytes[position] }

    /// Skips `character`; `false` if the next byte is another one.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Skips a name of at least three letters or in angle brackets; `false` if none exists.
    mutating func skipName() -> Bool {
        let start = position
        if skip("<") {
            while let byte = next, byte != UInt8(ascii: ">") { position += 1 }
            return skip(">")
        }
        while let byte = next, (0x41...0x5A).contains(byte & 0xDF) { position += 1 }
        return position - start >= 3
    }

    /// Parses `[+-]hh[:mm[:ss]]` into seconds, with at most `hours` hours.
    mutating func time(hours: Int) -> Int64? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard let whole = number(in: 0...hours) else { return nil }
        var seconds = whole * 3600
        if skip(":") {
            guard let minutes = number(in: 0...59) else { return nil }
            seconds += minutes * 60
            if skip(":") {
                guard let rest = number(in: 0...59) else { return nil }
                seconds += rest
            }
        }
        return Int64(isNegative ? -seconds : seconds)
    }

    /// Parses `day[/time]`; the default time is 02:00.
    mutating func yearlyTime() -> PosixZoneRule.YearlyTime? {
        guard let day = day() else { return nil }
        guard skip("/") else { return PosixZoneRule.YearlyTime(day: day, seconds: 7_200) }
        return time(hours: 167).map { PosixZoneRule.YearlyTime(day: day, seconds: $0) }
    }

    private mutating func day() -> PosixZoneRule.YearlyTime.Day? {
        if skip("J") { return number(in: 1...365).map { .withoutLeapDay($0) } }
        guard skip("M") else { return number(in: 0...365).map { .withLeapDay($0) } }
        guard let month = number(in: 1...12), skip("."), let week = number(in: 1...5), skip("."),
            let weekday = number(in: 0...6)
        else { return nil }
        return .weekday(month: month, week: week, weekday: weekday)
    }

    private mutating func number(in range: ClosedRange<Int>) -> Int? {
        let start = position
        var value = 0
        while let byte = next, (0x30...0x39).contains(byte), position - start < 3 {
            value = value * 10 + Int(byte - 0x30)
            position += 1
        }
        return position > start && range.contains(value) ? value : nil
    }
}

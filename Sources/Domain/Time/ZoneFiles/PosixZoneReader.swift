/// Parses the parts of a POSIX `TZ` string in order.
struct PosixZoneReader {
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

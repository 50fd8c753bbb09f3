/// The date-time format of JSON on the wire and in files: RFC 3339, with a UTC offset or `Z`.
public enum RFC3339 {
    /// Returns `2024-01-15T08:00:00Z`, with milliseconds only if they are not zero. A year outside 0–9999, which RFC 3339
    /// cannot express, has a sign and at least four digits, as in ISO 8601; such a text cannot be parsed again.
    public static func string(_ instant: Instant) -> String { string(instant, offsetSeconds: 0, zulu: true) }

    /// Returns `2024-01-15T09:00:00+01:00`: the wall clock `offsetSeconds` east of UTC, with the offset rounded down
    /// to the minute and less than a day.
    public static func string(_ instant: Instant, offsetSeconds: Int64) -> String {
        string(instant, offsetSeconds: offsetSeconds, zulu: false)
    }

    /// Appends the `Z` form as ASCII bytes.
    package static func append(_ instant: Instant, to bytes: inout [UInt8]) {
        appendWall(instant, offsetSeconds: 0, to: &bytes)
        bytes.append(0x5A)
    }

    /// Parses `YYYY-MM-DDTHH:MM:SS[.fraction](Z|±HH:MM)`; the fraction is truncated to three digits.
    ///
    /// Returns `nil` for anything else, for days that do not exist and for years outside 1–9999. A leap second
    /// (`:60`) is parsed as the following second.
    public static func instant(_ text: some StringProtocol) -> Instant? {
        var text = String(text)
        return text.withUTF8 { Reader(bytes: $0).instant() }
    }

    /// Parses the same form from bytes.
    package static func instant(_ bytes: UnsafeBufferPointer<UInt8>) -> Instant? { Reader(bytes: bytes).instant() }

    private static func string(_ instant: Instant, offsetSeconds: Int64, zulu: Bool) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(29)
        let minutes = min(max(offsetSeconds.flooredQuotient(by: 60), -largestOffset), largestOffset)
        appendWall(instant, offsetSeconds: minutes * 60, to: &bytes)
        if zulu {
            bytes.append(0x5A)
        } else {
            bytes.append(minutes < 0 ? 0x2D : 0x2B)
            appendDigits(Int(minutes.magnitude / 60), 2, to: &bytes)
            bytes.append(0x3A)
            appendDigits(Int(minutes.magnitude % 60), 2, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func appendWall(_ instant: Instant, offsetSeconds: Int64, to bytes: inout [UInt8]) {
        let wall = instant.advanced(bySeconds: offsetSeconds)
        let (year, month, dayOfMonth) = CalendarDay(utcDayOf: wall).components
        let rest = Int(wall.milliseconds % CalendarDay.millisecondsPerDay)
        let inDay = rest < 0 ? rest + Int(CalendarDay.millisecondsPerDay) : rest
        appendYear(year, to: &bytes)
        bytes.append(0x2D)
        appendDigits(month, 2, to: &bytes)
        bytes.append(0x2D)
        appendDigits(dayOfMonth, 2, to: &bytes)
        bytes.append(0x54)
        appendDigits(inDay / 3_600_000, 2, to: &bytes)
        bytes.append(0x3A)
        appendDigits(inDay / 60_000 % 60, 2, to: &bytes)
        bytes.append(0x3A)
        appendDigits(inDay / 1000 % 60, 2, to: &bytes)
        if inDay % 1000 != 0 {
            bytes.append(0x2E)
            appendDigits(inDay % 1000, 3, to: &bytes)
        }
    }

    private static func appendYear(_ year: Int, to bytes: inout [UInt8]) {
        guard !(0...9_999).contains(year) else { return appendDigits(year, 4, to: &bytes) }
        bytes.append(year < 0 ? 0x2D : 0x2B)
        bytes += Array(CalendarDay.padded(abs(year), 4).utf8)
    }

    private static func appendDigits(_ number: Int, _ width: Int, to bytes: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<width { divisor *= 10 }
        var rest = number
        while divisor > 0 {
            bytes.append(0x30 + UInt8(truncatingIfNeeded: rest / divisor % 10))
            rest %= divisor
            divisor /= 10
        }
    }

    /// The largest offset, in minutes.
    private static let largestOffset: Int64 = 24 * 60 - 1

    private struct Reader {
        let bytes: UnsafeBufferPointer<UInt8>

        func instant() -> Instant? {
            guard bytes.count >= 20, byte(4, is: 0x2D), byte(7, is: 0x2D), bytes[10] | 0x20 == 0x74,
                byte(13, is: 0x3A), byte(16, is: 0x3A),
                let year = number(0, 4), let month = number(5, 2), let dayOfMonth = number(8, 2),
                let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2),
                let day = CalendarDay(year: year, month: month, day: dayOfMonth),
                hour < 24, minute < 60, second <= 60
            else { return nil }
            var position = 19
            var milliseconds = 0
            if byte(19, is: 0x2E) {
                guard let (value, end) = fraction(from: 20) else { return nil }
                milliseconds = value
                position = end
            }
            guard let offset = offset(from: position) else { return nil }
            let seconds = Int64(day.ordinal) * 86_400 + Int64(hour * 3600 + minute * 60 + second) - Int64(offset)
            return Instant(milliseconds: seconds * 1000 + Int64(milliseconds))
        }

        private func byte(_ index: Int, is expected: UInt8) -> Bool { index < bytes.count && bytes[index] == expected }

        private func number(_ start: Int, _ width: Int) -> Int? {
            guard start + width <= bytes.count else { return nil }
            var value = 0
            for index in start..<start + width {
                let digit = bytes[index] &- 0x30
                guard digit < 10 else { return nil }
                value = value * 10 + Int(digit)
            }
            return value
        }

        private func fraction(from start: Int) -> (milliseconds: Int, end: Int)? {
            var value = 0
            var index = start
            while index < bytes.count, bytes[index] &- 0x30 < 10 {
                if index < start + 3 { value = value * 10 + Int(bytes[index] &- 0x30) }
                index += 1
            }
            guard index > start else { return nil }
            for _ in 0..<max(0, 3 - (index - start)) { value *= 10 }
            return (value, index)
        }

        private func offset(from start: Int) -> Int? {
            guard start < bytes.count else { return nil }
            if bytes[start] | 0x20 == 0x7A { return start + 1 == bytes.count ? 0 : nil }
            guard bytes[start] == 0x2B || bytes[start] == 0x2D, start + 6 == bytes.count, byte(start + 3, is: 0x3A),
                let hours = number(start + 1, 2), let minutes = number(start + 4, 2), hours < 24, minutes < 60
            else { return nil }
            return (bytes[start] == 0x2D ? -1 : 1) * (hours * 3600 + minutes * 60)
        }
    }
}

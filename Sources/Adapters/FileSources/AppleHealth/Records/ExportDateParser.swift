import HealthSyncDomain

/// Parses the dates of an export, `2024-01-15 08:00:00 +0100` or in the oldest exports `20240115080000+0100`, by
/// arithmetic on bytes. Strict: 30 February, second 60 and a missing offset are rejected. Days and offsets repeat from
/// record to record, so the last of each is cached.
struct ExportDateParser {
    private var dayHead: UInt64 = 0
    private var dayTail: UInt16 = 0
    private var dayMilliseconds: Int64 = 0
    private var offsetText: UInt64 = 0
    private var offsetMilliseconds: Int64 = 0

    /// Returns the milliseconds since 1970; `nil` if the date is invalid.
    @inline(__always)
    mutating func milliseconds(_ window: ByteWindow, _ range: ByteRange) -> Int64? {
        let start = range.start
        guard range.count == 25, window[start + 10] == 0x20 else { return otherForm(window, range) }
        let head = window.word(start)
        let tail = window.halfWord(start + 8)
        if head != dayHead || tail != dayTail {
            guard let day = Self.day(window, start, separated: true) else { return otherForm(window, range) }
            (dayHead, dayTail, dayMilliseconds) = (head, tail, day)
        }
        let offset = window.word(start + 19) & 0xFFFF_FFFF_FFFF
        if offset != offsetText {
            guard window[start + 19] == 0x20, let value = Self.offset(window, start + 20) else {
                return otherForm(window, range)
            }
            (offsetText, offsetMilliseconds) = (offset, value)
        }
        guard let time = Self.time(window.word(start + 11)) else { return otherForm(window, range) }
        return dayMilliseconds &+ time &- offsetMilliseconds
    }

    /// Parses the compact form, and dates written with references or other white space.
    private func otherForm(_ window: ByteWindow, _ range: ByteRange) -> Int64? {
        if range.count == 19 { return Self.compact(window, range.start) }
        guard range.count < 4096, AttributeText.isRewritten(window, range) else { return nil }
        var text = AttributeText(window, range).bytes
        let count = text.count
        text.append(contentsOf: repeatElement(0, count: ByteWindow.slack))
        return ByteWindow.over(text, count: count) { normalized -> Int64? in
            var parser = ExportDateParser()
            let whole = ByteRange(start: 0, end: count)
            if count == 19 { return Self.compact(normalized, 0) }
            return count == 25 && !AttributeText.isRewritten(normalized, whole)
                ? parser.milliseconds(normalized, whole) : nil
        } ?? nil
    }

    private static func compact(_ window: ByteWindow, _ start: Int) -> Int64? {
        guard let day = day(window, start, separated: false), let hour = number(window, start + 8, 2),
            let minute = number(window, start + 10, 2), let second = number(window, start + 12, 2),
            hour < 24, minute < 60, second < 60, let offset = offset(window, start + 14)
        else { return nil }
        return day + Int64((hour * 60 + minute) * 60 + second) * 1000 - offset
    }

    /// Returns the milliseconds from 1970 to midnight of a date.
    private static func day(_ window: ByteWindow, _ start: Int, separated: Bool) -> Int64? {
        let step = separated ? 1 : 0
        if separated, window[start + 4] != 0x2D || window[start + 7] != 0x2D { return nil }
        guard let year = number(window, start, 4), let month = number(window, start + 4 + step, 2),
            let dayOfMonth = number(window, start + 6 + 2 * step, 2),
            let day = CalendarDay(year: year, month: month, day: dayOfMonth)
        else { return nil }
        return day.utcStart.milliseconds
    }

    /// Returns the milliseconds since midnight of the eight bytes `HH:MM:SS`, validated and converted in parallel.
    @inline(__always)
    private static func time(_ text: UInt64) -> Int64? {
        let digits = text ^ 0x3030_3A30_303A_3030
        // Digits set the high bit from 10 on, colons (now zero) from 1 on.
        guard (digits | (digits &+ 0x7676_7F76_767F_7676)) & ByteWindow.highBits == 0 else { return nil }
        let pairs = digits &* 10 &+ digits >> 8
        let hour = Int64(pairs & 0xFF)
        let minute = Int64(pairs >> 24 & 0xFF)
        let second = Int64(pairs >> 48 & 0xFF)
        guard hour < 24, minute < 60, second < 60 else { return nil }
        return ((hour &* 60 &+ minute) &* 60 &+ second) &* 1000
    }

    /// Returns the milliseconds east of UTC of the five bytes `±HHMM`.
    private static func offset(_ window: ByteWindow, _ start: Int) -> Int64? {
        let sign = window[start]
        guard sign == 0x2B || sign == 0x2D, let hours = number(window, start + 1, 2),
            let minutes = number(window, start + 3, 2), hours < 24, minutes < 60
        else { return nil }
        return Int64(sign == 0x2D ? -1 : 1) * Int64(hours * 60 + minutes) * 60_000
    }

    private static func number(_ window: ByteWindow, _ start: Int, _ width: Int) -> Int? {
        var value = 0
        for index in start..<start + width {
            let digit = window[index] &- 0x30
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
        }
        return value
    }
}

import HealthSyncDomain

/// A date of the feed: the instant and the local time on the phone.
///
/// `2024-01-02 15:04:05 +0100`, or on phones with a 12-hour clock `2024-01-02 3:04:05 PM +0100`, in upper or lower
/// case, with any kind of space before `PM`.
struct HealthAutoExportDate {
    let instant: Instant
    /// The local day.
    let day: CalendarDay
    /// The seconds since midnight in local time.
    let secondOfDay: Int
    /// The seconds east of UTC if the date contains a numeric offset; `nil` for a name such as `UTC`.
    let statedOffset: Int64?

    init?(_ text: String) {
        guard text.utf8.count <= 64 else { return nil }
        let words = text.uppercased().split { $0.isWhitespace || $0 == "T" }.map(String.init)
        guard words.count >= 2, let day = CalendarDay(words[0]) else { return nil }
        var rest = words.dropFirst()
        let (clock, attachedOffset) = Self.splitOffset(rest.removeFirst())
        let half = rest.first.map { $0.filter { $0 != "." } }
        let isAfternoon: Bool? = half == "PM" ? true : half == "AM" ? false : nil
        if isAfternoon != nil { rest.removeFirst() }
        let offsetText = attachedOffset ?? (rest.isEmpty ? nil : rest.removeFirst())
        guard rest.isEmpty, let offsetText, let offset = Self.offset(offsetText),
            let (second, milliseconds) = Self.secondOfDay(clock, isAfternoon: isAfternoon)
        else { return nil }
        self.day = day
        secondOfDay = second
        statedOffset = "+-".contains(offsetText.first ?? " ") ? Int64(offset) : nil
        instant = day.utcStart.advanced(bySeconds: Int64(second - offset)).advanced(byMilliseconds: milliseconds)
    }

    private static func splitOffset(_ word: String) -> (clock: String, offset: String?) {
        guard let place = word.firstIndex(where: { $0 == "+" || $0 == "-" || $0 == "Z" }) else { return (word, nil) }
        return (String(word[..<place]), String(word[place...]))
    }

    private static func secondOfDay(_ clock: String, isAfternoon: Bool?) -> (second: Int, milliseconds: Int64)? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, var hour = digits(parts[0], 1...2), let minute = digits(parts[1], 2...2), minute < 60
        else { return nil }
        let secondParts = parts[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let second = digits(secondParts[0], 2...2), second < 60 else { return nil }
        var milliseconds = 0
        if secondParts.count == 2 {
            guard let fraction = digits(secondParts[1].prefix(3) + "00", 3...5), secondParts[1].count >= 1 else {
                return nil
            }
            milliseconds =
                secondParts[1].count >= 3 ? fraction / 100 : secondParts[1].count == 2 ? fraction / 10 : fraction
        }
        if let isAfternoon {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        guard hour < 24 else { return nil }
        return (hour * 3600 + minute * 60 + second, Int64(milliseconds))
    }

    private static func offset(_ text: String) -> Int? {
        if text == "Z" || text == "UTC" || text == "GMT" { return 0 }
        let numbers = text.dropFirst().filter { $0 != ":" }
        guard let sign = text.first, sign == "+" || sign == "-", let number = digits(numbers, 4...4),
            number / 100 < 24, number % 100 < 60
        else { return nil }
        return (sign == "-" ? -1 : 1) * (number / 100 * 3600 + number % 100 * 60)
    }

    private static func digits(_ text: some StringProtocol, _ lengths: ClosedRange<Int>) -> Int? {
        let bytes = Array(text.utf8)
        guard lengths.contains(bytes.count), bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}

/// The text form of UTC offsets.
package enum UTCOffset {
    /// Returns `+05:30` for 19,800 seconds; seconds within a minute are truncated.
    package static func text(_ seconds: Int64) -> String {
        let minutes = Int(seconds.magnitude / 60)
        return (seconds < 0 ? "-" : "+") + CalendarDay.padded(minutes / 60, 2) + ":"
            + CalendarDay.padded(minutes % 60, 2)
    }

    /// Parses `+05:30` or `+0530` into seconds; `nil` for anything else.
    package static func seconds(_ text: some StringProtocol) -> Int64? {
        let bytes = Array(text.utf8.prefix(7))
        guard bytes.count == 5 || bytes.count == 6 && bytes[3] == UInt8(ascii: ":"),
            bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-")
        else { return nil }
        let digits = (bytes[1..<3] + bytes[(bytes.count - 2)...]).map { Int64($0) - 0x30 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        guard hours < 24, minutes < 60 else { return nil }
        return (bytes[0] == UInt8(ascii: "-") ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }
}

extension ZoneRules {
    /// Creates rules with the constant UTC offset of a sample without a zone, such as `+05:30`; `nil` for the name of
    /// a zone.
    package init?(statedOffset text: String) {
        guard let seconds = UTCOffset.seconds(text) else { return nil }
        self.init(identifier: text, transitions: [], offsets: [seconds])
    }
}

/// Finds the UTC offsets of a clock. It caches the current day, so lookups on the same day cost a comparison.
struct OffsetCursor {
    private let clock: DayClock
    private var start: Int64 = 0
    private var end: Int64 = 0
    private var offset: Int64 = 0

    init(_ clock: DayClock) { self.clock = clock }

    /// Returns the UTC offset at `milliseconds` since 1970, in seconds east.
    mutating func offset(at milliseconds: Int64) -> Int64 {
        if start <= milliseconds, milliseconds < end { return offset }
        let instant = Instant(milliseconds: milliseconds)
        let day = clock.interval(of: clock.day(of: instant))
        let (first, last) = (
            clock.offsetSeconds(at: day.start), clock.offsetSeconds(at: day.end.advanced(byMilliseconds: -1))
        )
        guard first == last else { return clock.offsetSeconds(at: instant) }
        (start, end, offset) = (day.start.milliseconds, day.end.milliseconds, first)
        return offset
    }

    /// Returns whether a bucket covers one whole day, of 23 to 25 hours, by `clock`.
    static func isWholeDay(start: Int64, length: Int64, of clock: DayClock) -> Bool {
        guard (82_800_000...90_000_000).contains(length) else { return false }
        return clock.start(of: clock.day(of: Instant(milliseconds: start))).milliseconds == start
    }
}

/// A UTC offset that a source states for an instant.
public struct StatedOffset: Sendable, Hashable, Codable {
    /// The instant at which the offset applied.
    public var instant: Instant
    /// Seconds east of UTC.
    public var seconds: Int64

    /// Creates an offset of `seconds` at `instant`.
    public init(instant: Instant, seconds: Int64) {
        self.instant = instant
        self.seconds = seconds
    }

    /// Returns `offsets` in order, with only the first and the last of consecutive equal offsets.
    package static func ends(of offsets: [StatedOffset]) -> [StatedOffset] {
        let ordered = Set(offsets).sorted { ($0.instant, $0.seconds) < ($1.instant, $1.seconds) }
        return ordered.indices.filter { index in
            index == 0 || index == ordered.count - 1 || ordered[index - 1].seconds != ordered[index].seconds
                || ordered[index + 1].seconds != ordered[index].seconds
        }
        .map { ordered[$0] }
    }
}

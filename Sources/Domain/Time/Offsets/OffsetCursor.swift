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

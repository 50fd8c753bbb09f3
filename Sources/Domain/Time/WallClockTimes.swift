/// Converts the times of a file in which the rows of each series are in order of time: those with an offset, and those that a clock
/// on the wall showed.
public struct WallClockTimes: Sendable {
    /// The zones of the user.
    public let clock: DayClock
    private var latest: [String: Latest] = [:]

    private struct Latest: Sendable {
        var time: LocalTime
        var instant: Instant
        /// How often the clock of the wall was set back before, on this day.
        var setBacks = 0
    }

    /// Creates a conversion by the user's `clock` (`SourceContext.clock`).
    public init(clock: DayClock) { self.clock = clock }

    /// Returns the start of a row, and an identifier for its `SampleDetail` if `text` has no offset, which replaces the sample if the
    /// user's zone changes; `nil` if it is not a time. When the clock is set back, a time that is not later than the one before in its
    /// `series` is the second of two.
    public mutating func start(_ text: String, series: String) -> (instant: Instant, externalID: String?)? {
        if let instant = RFC3339.instant(text) { return (instant, nil) }
        guard let time = LocalTime(text) else { return nil }
        var next = Latest(time: time, instant: time.instant(in: clock))
        if let last = latest[series], last.time.day == time.day {
            // A time that is not later than the one before is the second of two.
            let isSetBack = time.milliseconds <= last.time.milliseconds
            next.setBacks = last.setBacks + (isSetBack ? 1 : 0)
            next.instant = time.instant(in: clock, notBefore: last.instant.advanced(byMilliseconds: 1))
        }
        latest[series] = next
        // The identifier does not depend on the zone, so that the sample replaces itself if the zone changes.
        return (next.instant, next.setBacks == 0 ? text : "\(text)#\(next.setBacks)")
    }

    /// Returns the end of a row that begins at `start`; `nil` if it is not a time.
    public func end(_ text: String, after start: Instant) -> Instant? {
        RFC3339.instant(text) ?? LocalTime(text)?.instant(in: clock, notBefore: start)
    }
}

import HealthSyncDomain

/// Converts the times of a file in which the rows of each series are in order of time.
struct WallClockTimes {
    /// The zones of the user.
    let clock: DayClock
    private var latest: [String: Latest] = [:]

    private struct Latest {
        var time: LocalTime
        var instant: Instant
        /// How often the clock of the wall was set back before, on this day.
        var setBacks = 0
    }

    init(clock: DayClock) { self.clock = clock }

    /// Returns the start of a row, and an identifier if `text` has no offset; `nil` if it is not a time.
    mutating func start(_ text: String, series: String) -> (instant: Instant, externalID: String?)? {
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

    /// Returns the end of a row; `nil` if it is not a time.
    func end(_ text: String, after start: Instant) -> Instant? {
        RFC3339.instant(text) ?? LocalTime(text)?.instant(in: clock, notBefore: start)
    }
}

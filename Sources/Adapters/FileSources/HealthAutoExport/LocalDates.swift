import HealthSyncDomain

/// Adds UTC offsets to the dates of a CSV text, which are local times in ascending order.
struct LocalDates {
    /// Whether a date had no offset.
    private(set) var wereLocal = false
    private let clock: DayClock?
    /// The latest time by the wall clock, and its instant.
    private var latest = (wall: Instant(milliseconds: .min), instant: Instant(milliseconds: .min))

    init(clock: DayClock?) { self.clock = clock }

    /// Returns a date with its offset; unchanged if it has one, or if the clock of the user skips it.
    ///
    /// When the clock is set back, a time that is not later than the one before is the second of two equal ones.
    mutating func stated(_ text: String) -> String {
        guard HealthAutoExportDate(text) == nil, let clock, let wall = HealthAutoExportDate(text + " +0000"),
            let local = LocalTime(day: wall.day, milliseconds: Int64(wall.secondOfDay) * 1000)
        else { return text }
        wereLocal = true
        let isRepeated = wall.instant <= latest.wall
        let instant = local.instant(
            in: clock, notBefore: isRepeated ? latest.instant.advanced(byMilliseconds: 1) : nil)
        if !isRepeated { latest = (wall.instant, instant) }
        let offset = clock.offsetSeconds(at: instant)
        guard instant.seconds + offset == wall.instant.seconds else { return text }
        return "\(text) \(UTCOffset.text(offset))"
    }
}

import HealthSyncDomain

/// Adds UTC offsets to the dates of a CSV text, which are local times in ascending order.
struct LocalDates {
    /// Whether a date had no offset.
    private(set) var wereLocal = false
    private let clock: DayClock?
    private var latest = Instant(milliseconds: .min)

    init(clock: DayClock?) { self.clock = clock }

    /// Returns a date with its offset; unchanged if it has one, or if the clock of the user skips it.
    ///
    /// When the clock is set back, a time that is not later than the one before is the second of two equal ones.
    mutating func stated(_ text: String) -> String {
        guard HealthAutoExportDate(text) == nil, let clock, let wall = HealthAutoExportDate(text + " +0000"),
            let local = LocalTime(day: wall.day, milliseconds: Int64(wall.secondOfDay) * 1000)
        else { return text }
        wereLocal = true
        defer { latest = max(latest, wall.instant) }
        var instant = local.instant(in: clock)
        if wall.instant <= latest, let second = local.secondInstant(in: clock) { instant = second }
        let offset = clock.offsetSeconds(at: instant)
        guard instant.seconds + offset == wall.instant.seconds else { return text }
        return "\(text) \(UTCOffset.text(offset))"
    }
}

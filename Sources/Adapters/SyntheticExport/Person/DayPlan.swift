import HealthSyncDomain

/// Everything that happened around one day, before any device wrote about it.
struct DayPlan: Sendable {
    var day: CalendarDay
    /// IANA name of the zone the person lived by.
    var zoneName: String
    /// Start of the day to start of the next.
    var span: Span
    var night: Night
    var nightAfter: Night
    var nap: SleepStretch?
    var wear: WatchWear
    /// By start; the last one may reach into the next day.
    var walks: [Walk]
    var watch: Device
    var phone: Device
    /// The pulse at rest, per minute.
    var restingRate: Int64
    /// Whether no day of the export follows.
    var isLast: Bool

    /// From getting up to lying down.
    var awake: Span { Span(start: night.inBed.end, end: nightAfter.inBed.start) }

    func isAsleep(at instant: Int64) -> Bool {
        night.inBed.contains(instant) || nightAfter.inBed.contains(instant)
            || nap?.span.contains(instant) == true
    }
}

import HealthSyncDomain

/// The true events around one day, before devices record them.
struct DayPlan: Sendable {
    var day: CalendarDay
    /// The IANA name of the user's time zone.
    var zoneName: String
    /// From the start of the day to the start of the next.
    var span: Span
    var night: Night
    var nightAfter: Night
    var nap: SleepStretch?
    var wear: WatchWear
    /// The walks by start; the last one may extend into the next day.
    var walks: [Walk]
    var watch: Device
    var phone: Device
    /// The resting heart rate per minute.
    var restingRate: Int64
    /// Whether this is the last day of the export.
    var isLast: Bool

    /// From getting up to going to bed.
    var awake: Span { Span(start: night.inBed.end, end: nightAfter.inBed.start) }

    func isAsleep(at instant: Int64) -> Bool {
        night.inBed.contains(instant) || nightAfter.inBed.contains(instant)
            || nap?.span.contains(instant) == true
    }
}

import HealthSyncDomain

/// The sleep before a day, and its records by devices.
struct Night: Sendable, Hashable {
    /// The day after the night.
    var day: CalendarDay
    /// From going to bed to getting up, whether recorded or not.
    var inBed: Span
    var isWatchWorn: Bool
    /// The stretches recorded by the watch: one, or two with more than an hour between them; none if not worn.
    var watchStretches: [SleepStretch]
    /// The time in bed recorded by the phone.
    var phoneInBed: Span?
}

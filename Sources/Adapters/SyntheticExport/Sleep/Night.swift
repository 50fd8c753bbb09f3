import HealthSyncDomain

/// The sleep before a day, and what devices wrote of it.
struct Night: Sendable, Hashable {
    /// The day after it.
    var day: CalendarDay
    /// From lying down to getting up, whether anything recorded it or not.
    var inBed: Span
    var isWatchWorn: Bool
    /// What the watch wrote: one stretch, or two with more than an hour between them; none when not worn.
    var watchStretches: [SleepStretch]
    /// What the phone wrote as time in bed.
    var phoneInBed: Span?
}

/// When the preferred main sleep of a night began and ended, without its stages.
public struct NightTimes: Hashable, Sendable {
    /// The day for which the night counts.
    public var day: CalendarDay
    /// From the first start to the last end.
    public var interval: InstantRange
    /// Seconds east of UTC at the start, by the clock of the session.
    public var offsetSeconds: Int64
    /// The milliseconds asleep; `nil` if only the time in bed is known.
    public var asleep: Int64?

    /// Creates the times of the night to `day`.
    public init(day: CalendarDay, interval: InstantRange, offsetSeconds: Int64, asleep: Int64?) {
        self.day = day
        self.interval = interval
        self.offsetSeconds = offsetSeconds
        self.asleep = asleep
    }

    /// Creates the times of `session`.
    public init(_ session: SleepSession) {
        self.init(
            day: session.day, interval: session.interval, offsetSeconds: session.offsetSeconds,
            asleep: session.durations.isSleepKnown ? session.durations.asleep : nil)
    }
}

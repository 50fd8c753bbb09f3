/// When the main sleep of a day began and ended, without its stages.
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

    /// Creates the times of `episode`.
    package init(_ episode: SleepEpisode) {
        self.init(
            day: episode.day, interval: episode.interval, offsetSeconds: episode.offsetSeconds,
            asleep: episode.durations.isSleepKnown ? episode.durations.asleep : nil)
    }

    /// Returns the times of the main sleeps of `sessions`, ascending by day.
    public static func nights(of sessions: [SleepSession]) -> [NightTimes] {
        SleepEpisode.episodes(of: sessions).filter { $0.role == .main }.map(NightTimes.init).sorted { $0.day < $1.day }
    }
}

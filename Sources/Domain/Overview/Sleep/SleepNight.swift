/// The sleep of one day by all its recorders.
package struct SleepNight: Hashable, Sendable {
    /// The day to which the night belongs.
    package let day: CalendarDay
    /// The main sleep, which averages and summaries use.
    package let main: SleepEpisode
    /// Additional sleep, by start.
    package let additional: [SleepEpisode]
    /// The sessions that other recorders cover, as they measured them, by start.
    package let others: [SleepEpisode]
}

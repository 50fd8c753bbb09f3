extension SleepEpisode {
    /// Returns the seconds east of UTC on the user's wall clock at `instant` of the sleep. If the start is in the
    /// zone of `clock`, the offset is that of `clock`, so that a night in which the clocks change ends at the hour that
    /// the user saw. If a sample stated another zone, the offset is that of the start.
    package func offsetSeconds(at instant: Instant, by clock: DayClock) -> Int64 {
        clock.offsetSeconds(at: interval.start) == offsetSeconds ? clock.offsetSeconds(at: instant) : offsetSeconds
    }
}

extension SleepSession {
    /// Seconds east of UTC on the person's wall clock at `instant` of the session: those of `clock` where the start is by
    /// it too, so that a night in which the clocks change ends at the hour that the person saw; else, where a sample
    /// stated a zone of its own, those of the start.
    package func offsetSeconds(at instant: Instant, by clock: DayClock) -> Int64 {
        clock.offsetSeconds(at: interval.start) == offsetSeconds ? clock.offsetSeconds(at: instant) : offsetSeconds
    }
}

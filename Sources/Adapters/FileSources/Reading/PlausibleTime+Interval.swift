import HealthSyncDomain

extension PlausibleTime {
    /// Returns the interval from `start` to `end`; rejects one that ends before it starts or leaves the years 1900–2200.
    static func interval(from start: Instant, to end: Instant) throws(RejectedRecord) -> InstantRange {
        guard start.milliseconds >= firstMillisecond, end.milliseconds < endMillisecond,
            start.milliseconds < endMillisecond
        else { throw RejectedRecord("a year outside 1900–2200") }
        guard start <= end else { throw RejectedRecord("the end is before the start") }
        return InstantRange(start: start, end: end)
    }
}

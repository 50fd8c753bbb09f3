import HealthSyncDomain

/// The years in which a person's sample can lie.
enum PlausibleTime {
    static let firstMillisecond: Int64 = -2_208_988_800_000  // 1900-01-01
    static let endMillisecond: Int64 = 7_289_654_400_000  // 2201-01-01

    /// The stretch from `start` to `end`; refused where it runs backwards or leaves the years 1900–2200.
    static func interval(from start: Instant, to end: Instant) throws(RefusedRecord) -> InstantRange {
        guard start.milliseconds >= firstMillisecond, end.milliseconds < endMillisecond,
            start.milliseconds < endMillisecond
        else { throw RefusedRecord("a year outside 1900–2200") }
        guard start <= end else { throw RefusedRecord("the end is before the start") }
        return InstantRange(start: start, end: end)
    }
}

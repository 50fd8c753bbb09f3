/// The plausible years of a sample, and of the receipt of a post, 1900 to 2200, in UTC.
package enum PlausibleTime {
    /// 1900-01-01T00:00:00Z, in milliseconds since 1970.
    package static let firstMillisecond: Int64 = -2_208_988_800_000
    /// 2201-01-01T00:00:00Z, the first instant that is too late, in milliseconds since 1970.
    package static let endMillisecond: Int64 = 7_289_654_400_000

    /// Returns whether `instant` is within these years.
    package static func contains(_ instant: Instant) -> Bool {
        (firstMillisecond..<endMillisecond).contains(instant.milliseconds)
    }

    /// Returns whether `interval` is within these years.
    package static func contains(_ interval: InstantRange) -> Bool {
        interval.start.milliseconds >= firstMillisecond && interval.end.milliseconds < endMillisecond
    }
}

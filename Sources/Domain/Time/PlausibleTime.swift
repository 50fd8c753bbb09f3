/// The years in which a sample can lie: 1900 to 2200.
package enum PlausibleTime {
    package static let firstMillisecond: Int64 = -2_208_988_800_000  // 1900-01-01
    package static let endMillisecond: Int64 = 7_289_654_400_000  // 2201-01-01

    /// Whether `interval` lies in those years.
    package static func contains(_ interval: InstantRange) -> Bool {
        interval.start.milliseconds >= firstMillisecond && interval.end.milliseconds < endMillisecond
    }
}

/// What one delivery of a feed contains: a file, or a post. Deliveries arrive in any order, so each has a version.
package struct FeedStatement: Sendable, Hashable, Codable {
    /// The time between the first and the last sample of a type.
    package struct Interval: Sendable, Hashable, Codable {
        package var type: SampleType
        package var start: Instant
        /// The latest start or end.
        package var end: Instant

        package init(type: SampleType, start: Instant, end: Instant) {
            self.type = type
            self.start = start
            self.end = end
        }
    }

    /// When the delivery was made, as far as it is known, in milliseconds since 1970.
    package var version: Int64
    package var intervals: [Interval]
    /// Whether it states local times, which the user's zones made instants. Each of its samples has the name of its
    /// zone.
    package var hasLocalTimes: Bool

    package init(version: Int64, intervals: [Interval], hasLocalTimes: Bool = false) {
        self.version = version
        self.intervals = intervals
        self.hasLocalTimes = hasLocalTimes
    }

    /// How long before its arrival the last measurement of a current delivery may be. An older one is an export of the
    /// past, made when it arrived.
    private static let currentFor: Int64 = 48 * 3_600_000

    /// Returns the version of a delivery that arrived, or was written, at `arrival`, and whose last measurement is at
    /// `latest`. Apps do not state when they made a delivery, but it was not before its last measurement.
    package static func version(latest: Instant?, arrival: Instant?) -> Int64 {
        guard let arrival else { return latest?.milliseconds ?? 0 }
        guard let latest, latest < arrival, arrival.milliseconds - latest.milliseconds <= currentFor else {
            return arrival.milliseconds
        }
        return latest.milliseconds
    }
}

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
    /// Whether its version is stored with each of its samples that have a length. Samples of deliveries that do not
    /// keep their version are compared by the intervals.
    package var keepsVersion: Bool
    /// The session of which it is a whole statement; `nil` for a delivery of anything else.
    package var session: Session?

    package init(
        version: Int64, intervals: [Interval], hasLocalTimes: Bool = false, keepsVersion: Bool = false,
        session: Session? = nil
    ) {
        self.version = version
        self.intervals = intervals
        self.hasLocalTimes = hasLocalTimes
        self.keepsVersion = keepsVersion
        self.session = session
    }

    /// A session of sleep that one app recorded. Of the overlapping ones of an app the one stated last counts, as a
    /// whole.
    package struct Session: Sendable, Hashable, Codable {
        /// The source name of its samples.
        package var sourceName: String
        /// The time from the first start to the last end that it states, half-open.
        package var start: Instant
        package var end: Instant

        package init(sourceName: String, start: Instant, end: Instant) {
            self.sourceName = sourceName
            self.start = start
            self.end = end
        }
    }

    /// The version of a delivery that counts as made when it is imported.
    package static let onImport = Int64.max

    /// Extends the interval of a type to contain `interval`.
    package mutating func include(_ type: SampleType, _ interval: InstantRange) {
        guard let place = intervals.firstIndex(where: { $0.type == type }) else {
            return intervals.append(Interval(type: type, start: interval.start, end: interval.end))
        }
        intervals[place].start = min(intervals[place].start, interval.start)
        intervals[place].end = max(intervals[place].end, interval.end)
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

public import HealthSyncDomain

/// Samples of one origin, written in a test.
///
/// ```swift
/// let watch = SampleSeries("Anna’s Apple Watch").adding(100, at: "2024-01-15T08:00:00Z", minutes: 10)
/// ```
public struct SampleSeries: Sendable {
    /// The origin.
    public let origin: SampleOrigin
    /// The samples in the order in which they were added.
    public private(set) var columns = SampleColumns()

    /// Creates a series of `origin` without samples.
    public init(_ origin: SampleOrigin) { self.origin = origin }

    /// Creates a series of the source `sourceName` without samples.
    public init(_ sourceName: String) { self.init(SampleOrigin(sourceName: sourceName)) }

    /// Returns the series with one more sample.
    ///
    /// - Parameters:
    ///   - value: the value in the canonical unit of the type.
    ///   - start: the start as RFC 3339 text. Any other text adds nothing.
    ///   - minutes: the length.
    ///   - zoneName: the zone of the sample.
    ///   - detail: further members of the sample.
    public func adding(
        _ value: Double, at start: String, minutes: Double = 0, zoneName: String? = nil, detail: SampleDetail? = nil
    ) -> SampleSeries {
        guard let instant = RFC3339.instant(start) else { return self }
        return adding(
            value, at: instant, milliseconds: Int64((minutes * 60_000).rounded()), zoneName: zoneName, detail: detail)
    }

    /// Returns the series with one more sample, `milliseconds` long.
    public func adding(
        _ value: Double, at start: Instant, milliseconds: Int64, zoneName: String? = nil, detail: SampleDetail? = nil
    ) -> SampleSeries {
        var copy = self
        copy.columns.append(
            start: start.milliseconds, duration: milliseconds, value: value, zoneName: zoneName, detail: detail)
        return copy
    }

    /// The samples in ascending order of start, as in a window; those that start together in the order in which they were
    /// added.
    public var samples: OriginSamples {
        let order = (0..<columns.count).sorted { (columns.starts[$0], $0) < (columns.starts[$1], $1) }
        return OriginSamples(origin: origin, columns: columns.selecting(order))
    }
}

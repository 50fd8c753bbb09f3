public import HealthSyncDomain

/// Samples of one origin as a test writes them down.
///
/// ```swift
/// let watch = SampleSeries("Anna’s Apple Watch").adding(100, at: "2024-01-15T08:00:00Z", minutes: 10)
/// ```
public struct SampleSeries: Sendable {
    /// Who measured.
    public let origin: SampleOrigin
    /// The samples in the order in which they were added.
    public private(set) var columns = SampleColumns()

    /// No samples of `origin` yet.
    public init(_ origin: SampleOrigin) { self.origin = origin }

    /// No samples yet of the source of that name.
    public init(_ sourceName: String) { self.init(SampleOrigin(sourceName: sourceName)) }

    /// The series with a sample more.
    ///
    /// - Parameters:
    ///   - value: the value in the canonical unit of the type.
    ///   - start: the start, as RFC 3339 text; a text that is none adds nothing.
    ///   - minutes: the length.
    ///   - zoneName: the zone that the sample states.
    ///   - detail: what else it carries.
    public func adding(
        _ value: Double, at start: String, minutes: Double = 0, zoneName: String? = nil, detail: SampleDetail? = nil
    ) -> SampleSeries {
        guard let instant = RFC3339.instant(start) else { return self }
        return adding(
            value, at: instant, milliseconds: Int64((minutes * 60_000).rounded()), zoneName: zoneName, detail: detail)
    }

    /// The series with a sample more, `milliseconds` long.
    public func adding(
        _ value: Double, at start: Instant, milliseconds: Int64, zoneName: String? = nil, detail: SampleDetail? = nil
    ) -> SampleSeries {
        var copy = self
        copy.columns.append(
            start: start.milliseconds, duration: milliseconds, value: value, zoneName: zoneName, detail: detail)
        return copy
    }

    /// The samples ascending by start, as a window gives them; those that start together in the order of adding.
    public var samples: OriginSamples {
        let order = (0..<columns.count).sorted { (columns.starts[$0], $0) < (columns.starts[$1], $1) }
        return OriginSamples(origin: origin, columns: columns.selecting(order))
    }
}

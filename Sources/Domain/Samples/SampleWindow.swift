/// The samples of one type and origin within a window of time, ascending by start.
public struct OriginSamples: Sendable {
    /// The origin of the samples.
    public let origin: SampleOrigin
    /// The samples.
    public let columns: SampleColumns

    /// Creates the samples of `origin`.
    public init(origin: SampleOrigin, columns: SampleColumns) {
        self.origin = origin
        self.columns = columns
    }
}

/// The input of a handler for the days to derive: all samples of its types that overlap those days, each once.
public struct SampleWindow: Sendable {
    private let samples: [SampleType: [OriginSamples]]

    /// Creates a window with these samples.
    public init(_ samples: [SampleType: [OriginSamples]]) { self.samples = samples }

    /// Returns the samples of `type` by origin, in an order that depends only on the origins. Empty if there are
    /// none.
    public subscript(_ type: SampleType) -> [OriginSamples] { samples[type] ?? [] }
}

/// The samples of one type and origin within a window of time, ascending by start.
public struct OriginSamples: Sendable {
    /// Who measured.
    public let origin: SampleOrigin
    /// What was measured.
    public let columns: SampleColumns

    /// The samples of `origin`.
    public init(origin: SampleOrigin, columns: SampleColumns) {
        self.origin = origin
        self.columns = columns
    }
}

/// What a handler is given for the days it derives: all samples of its types that touch those days, each once.
public struct SampleWindow: Sendable {
    private let samples: [SampleType: [OriginSamples]]

    /// A window over these samples.
    public init(_ samples: [SampleType: [OriginSamples]]) { self.samples = samples }

    /// The samples of `type` by origin, in an order that depends on the origins alone. Empty when there are none.
    public subscript(_ type: SampleType) -> [OriginSamples] { samples[type] ?? [] }
}

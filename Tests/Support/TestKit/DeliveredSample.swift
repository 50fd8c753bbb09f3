public import HealthSyncDomain

/// One sample as a source delivered it, with every index resolved: comparable across readings and sources.
public struct DeliveredSample: Sendable, Hashable {
    /// What was measured.
    public var type: SampleType
    /// The unit of `value`.
    public var unit: String
    /// Who measured.
    public var origin: SampleOrigin
    /// When.
    public var interval: InstantRange
    /// In `unit`.
    public var value: Double
    /// The zone that the sample states.
    public var zoneName: String?
    /// What only few samples carry.
    public var detail: SampleDetail?

    /// A sample with these parts.
    public init(
        type: SampleType, unit: String, origin: SampleOrigin, interval: InstantRange, value: Double,
        zoneName: String? = nil, detail: SampleDetail? = nil
    ) {
        self.type = type
        self.unit = unit
        self.origin = origin
        self.interval = interval
        self.value = value
        self.zoneName = zoneName
        self.detail = detail
    }
}

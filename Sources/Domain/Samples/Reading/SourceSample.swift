/// One sample as its source states it.
public struct SourceSample: Sendable, Hashable {
    /// The type of the sample.
    public var type: SampleType
    /// The unit of `value`, as the source spells it; empty for a category.
    public var unit: String
    /// The app or device that recorded it.
    public var origin: SampleOrigin
    /// Start and end; equal for a sample without length.
    public var interval: InstantRange
    /// In `unit`; for a category HealthKit's number of the state.
    public var value: Double
    /// IANA name of the zone that the source states for this sample; `nil` if it states none.
    public var zoneName: String?
    /// Further properties, which few samples have.
    public var detail: SampleDetail?

    /// Creates a sample with these properties.
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

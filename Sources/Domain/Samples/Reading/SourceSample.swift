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
    /// The number of decimals with which the source writes `value`, which shows how exact it is: 2 for `1.50`, −3 for
    /// `1e3`. `nil` for those of the shortest text of the number.
    public var decimals: Int?

    /// Creates a sample with these properties.
    public init(
        type: SampleType, unit: String, origin: SampleOrigin, interval: InstantRange, value: Double,
        zoneName: String? = nil, detail: SampleDetail? = nil, decimals: Int? = nil
    ) {
        self.type = type
        self.unit = unit
        self.origin = origin
        self.interval = interval
        self.value = value
        self.zoneName = zoneName
        self.detail = detail
        self.decimals = decimals
    }
}

/// Who measured: the app or device that a sample names as its source.
public struct SampleOrigin: Hashable, Sendable, Codable {
    /// The source's name as HealthKit shows it, such as `Anna’s Apple Watch`.
    public let sourceName: String
    /// The stable part of HealthKit's device text, `name:Apple Watch, manufacturer:Apple Inc., model:Watch,
    /// hardware:Watch7,2`: without the address, which changes with every export, and without what changes with updates and
    /// restores (`software:`, `creation date:`). Empty when none was stated.
    public let device: String
    /// Whether a person typed the sample in (`HKWasUserEntered`).
    public let isUserEntered: Bool
    /// Whether the samples are sums or means that the sender made by minute, hour or day of what other origins
    /// measured: the same thing again.
    public let isPreAggregated: Bool

    /// An origin with these parts.
    public init(
        sourceName: String, device: String = "", isUserEntered: Bool = false, isPreAggregated: Bool = false
    ) {
        self.sourceName = sourceName
        self.device = device
        self.isUserEntered = isUserEntered
        self.isPreAggregated = isPreAggregated
    }

    /// A text that is equal for equal origins and differs for different ones; part of a sample's identity.
    public var canonicalText: String {
        "\(sourceName)\u{1F}\(device)\(isUserEntered ? "\u{1F}entered" : "")\(isPreAggregated ? "\u{1F}aggregated" : "")"
    }

    /// The same recorder, also where `device` was stored with parts that change with updates and restores: canonical text
    /// with the stable part of the device.
    public var recorder: String {
        SampleOrigin(
            sourceName: sourceName, device: DeviceText.stablePart(of: device), isUserEntered: isUserEntered,
            isPreAggregated: isPreAggregated
        ).canonicalText
    }
}

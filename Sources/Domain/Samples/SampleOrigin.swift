/// Who measured: the app or device that a sample names as its source.
public struct SampleOrigin: Hashable, Sendable, Codable {
    /// The source's name as HealthKit shows it, such as `Anna’s Apple Watch`.
    public let sourceName: String
    /// The stable part of HealthKit's device text, `name:Apple Watch, manufacturer:Apple Inc., …`, without the
    /// `HKDevice: 0x…` address, which changes with every export. Empty when none was stated.
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

    private static let softwareLabel = Array("software:".utf8)

    /// The same physical recorder through its software updates: canonical text without the device's software version.
    public var recorder: String {
        // By bytes: sessions are told apart by this, and splitting by a String takes as long as reading the samples.
        var kept: [UInt8] = []
        var isInSoftware = false
        let bytes = Array(device.utf8)
        for (index, byte) in bytes.enumerated() {
            if index == 0 || (bytes[index - 1] == 0x20 && index > 1 && bytes[index - 2] == 0x2C) {
                isInSoftware = bytes[index...].starts(with: Self.softwareLabel)
            }
            if !isInSoftware { kept.append(byte) }
        }
        return SampleOrigin(
            sourceName: sourceName, device: String(decoding: kept, as: UTF8.self), isUserEntered: isUserEntered,
            isPreAggregated: isPreAggregated
        ).canonicalText
    }
}

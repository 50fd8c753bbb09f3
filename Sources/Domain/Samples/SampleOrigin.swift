/// The origin of a sample: the app or device that recorded it.
public struct SampleOrigin: Hashable, Sendable, Codable {
    /// The name of the source as HealthKit shows it, such as `Anna’s Apple Watch`.
    public let sourceName: String
    /// The stable part of HealthKit's device description: `name:Apple Watch, manufacturer:Apple Inc., model:Watch,
    /// hardware:Watch7,2`. It excludes the address, which changes with every export, and everything that changes with
    /// updates and restores (`software:`, `creation date:`). Empty if the source gave none.
    public let device: String
    /// Whether the user entered the sample (`HKWasUserEntered`).
    public let isUserEntered: Bool
    /// Whether the samples are sums or means by minute, hour or day that the sender computed from samples of other
    /// origins. They duplicate those samples.
    public let isPreAggregated: Bool

    /// Creates an origin from its parts.
    public init(
        sourceName: String, device: String = "", isUserEntered: Bool = false, isPreAggregated: Bool = false
    ) {
        self.sourceName = sourceName
        self.device = device
        self.isUserEntered = isUserEntered
        self.isPreAggregated = isPreAggregated
    }

    /// Returns whether both origins have the same texts, compared by bytes: a database stores canonically equivalent
    /// names as different ones.
    public static func == (left: SampleOrigin, right: SampleOrigin) -> Bool {
        left.isUserEntered == right.isUserEntered && left.isPreAggregated == right.isPreAggregated
            && left.sourceName.hasSameBytes(as: right.sourceName) && left.device.hasSameBytes(as: right.device)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(sourceName))
        hasher.combine(ExactText(device))
        hasher.combine(isUserEntered)
        hasher.combine(isPreAggregated)
    }

    /// A text that is equal for equal origins and different for different ones; part of a sample's identity.
    public var canonicalText: String {
        "\(sourceName)\u{1F}\(device)\(isUserEntered ? "\u{1F}entered" : "")\(isPreAggregated ? "\u{1F}aggregated" : "")"
    }

    /// The canonical text as a key of a complete order: different origins are never equal in it.
    package var orderingText: ExactText { ExactText(canonicalText) }

    /// The canonical text with only the stable part of the device. It identifies the same recorder even if `device`
    /// was stored with parts that change with updates and restores.
    public var recorder: String {
        SampleOrigin(
            sourceName: sourceName, device: DeviceText.stablePart(of: device), isUserEntered: isUserEntered,
            isPreAggregated: isPreAggregated
        ).canonicalText
    }
}

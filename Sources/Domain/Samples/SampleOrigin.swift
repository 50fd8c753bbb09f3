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

/// HealthKit's description of a device, such as `name:Apple Watch, manufacturer:Apple Inc., model:Watch,
/// hardware:Watch7,2, software:11.6.1`.
///
/// The stable part is name, manufacturer, model and hardware. It is the same before and after an update of the device
/// and a restore from a backup. The other parts change and never become part of an origin. For a device of Health Connect
/// whose other texts do not name its class, `type:watch` does.
package enum DeviceText {
    private static let typeLabel = "type"

    private static let stableLabels = ["name", "manufacturer", "model", "hardware", typeLabel].map {
        Array($0.utf8)
    }
    private static let changingLabels = [
        "firmware", "software", "localIdentifier", "local identifier", "UDIDeviceIdentifier", "UDI device identifier",
        "FDA UDI", "creation date",
    ].map { Array($0.utf8) }
    private static let comma: UInt8 = 0x2C
    private static let space: UInt8 = 0x20
    private static let colon: UInt8 = 0x3A

    /// Returns the stable part of `text`. A text without HealthKit's labels is returned unchanged.
    package static func stablePart(of text: String) -> String {
        let bytes = Array(text.utf8)
        let stable = stablePart(of: bytes)
        return stable.count == bytes.count ? text : String(decoding: stable, as: UTF8.self)
    }

    /// Returns the stable part of a text in UTF-8.
    package static func stablePart(of text: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        var partStart = 0
        var isKept = label(at: 0, of: text) ?? true
        func close(at end: Int) {
            guard isKept, partStart < end else { return }
            if !kept.isEmpty { kept += [comma, space] }
            kept += text[partStart..<end]
        }
        for index in text.indices.dropFirst(2) where text[index - 1] == space && text[index - 2] == comma {
            guard let isStable = label(at: index, of: text) else { continue }
            close(at: index - 2)
            (partStart, isKept) = (index, isStable)
        }
        close(at: text.count)
        return kept
    }

    /// Returns `text` with the type of the device, the last part of the text.
    package static func adding(type: String, to text: String) -> String {
        [text, "\(typeLabel):\(type)"].filter { !$0.utf8.isEmpty }.joined(separator: ", ")
    }

    /// Returns `text` without the type that `adding(type:to:)` added; `nil` if it has none.
    package static func withoutType(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        let mark = Array("\(typeLabel):".utf8)
        if bytes.starts(with: mark), !bytes.contains(comma) { return "" }
        guard let start = bytes.lastIndex(of: comma), bytes[start...].dropFirst(2).starts(with: mark) else {
            return nil
        }
        return String(decoding: bytes[..<start], as: UTF8.self)
    }

    /// Returns name and hardware for display, such as `Apple Watch · Watch7,2`. A text without HealthKit's labels is
    /// returned unchanged.
    package static func short(_ text: String) -> String {
        let stable = stablePart(of: text)
        func value(_ label: String) -> Substring? {
            guard
                let start = stable.hasPrefix(label)
                    ? stable.startIndex : stable.firstRange(of: ", " + label)?.lowerBound
            else { return nil }
            let rest = stable[start...].drop { $0 == "," || $0 == " " }.dropFirst(label.count)
            let ends = ["manufacturer", "model", "hardware", typeLabel].compactMap {
                rest.firstRange(of: ", \($0):")?.lowerBound
            }
            return rest[..<(ends.min() ?? rest.endIndex)]
        }
        let parts = [value("name:") ?? value("model:"), value("hardware:")].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? text : parts.joined(separator: " · ")
    }

    /// Returns whether the label at `index` is a stable one; `nil` if there is no label.
    private static func label(at index: Int, of text: [UInt8]) -> Bool? {
        func begins(with label: [UInt8]) -> Bool {
            text[index...].starts(with: label) && index + label.count < text.count && text[index + label.count] == colon
        }
        guard index < text.count else { return nil }
        if stableLabels.contains(where: begins) { return true }
        return changingLabels.contains(where: begins) ? false : nil
    }
}

/// The origin of a received sample, as the client sent it. Its texts are compared by bytes, as in databases.
package struct ReceivedOrigin: Hashable, Sendable {
    /// `sourceBundleId`, such as `com.apple.health`; possibly empty.
    package var bundleID: String
    /// `sourceDeviceName`, such as `iPhone 15`; `nil` if unknown.
    package var deviceName: String?
    /// The unit of the values; `count` for steps.
    package var unit: String

    package init(bundleID: String, deviceName: String?, unit: String) {
        self.bundleID = bundleID
        self.deviceName = deviceName
        self.unit = unit
    }

    package static func == (left: ReceivedOrigin, right: ReceivedOrigin) -> Bool {
        left.bundleID.hasSameBytes(as: right.bundleID) && left.unit.hasSameBytes(as: right.unit)
            && left.deviceName.map { ExactText($0) } == right.deviceName.map { ExactText($0) }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(bundleID))
        hasher.combine(deviceName.map { ExactText($0) })
        hasher.combine(ExactText(unit))
    }
}

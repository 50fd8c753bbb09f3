/// Who measured a received sample, in the words of the wire.
package struct ReceivedOrigin: Hashable, Sendable {
    /// `sourceBundleId`, such as `com.apple.health`; may be empty.
    package var bundleID: String
    /// `sourceDeviceName`, such as `iPhone 15`; `nil` where none was stated.
    package var deviceName: String?
    /// Unit of the values; `count` for steps.
    package var unit: String

    package init(bundleID: String, deviceName: String?, unit: String) {
        self.bundleID = bundleID
        self.deviceName = deviceName
        self.unit = unit
    }
}

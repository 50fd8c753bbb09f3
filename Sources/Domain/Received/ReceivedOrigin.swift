/// The origin of a received sample, as the client sent it.
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
}

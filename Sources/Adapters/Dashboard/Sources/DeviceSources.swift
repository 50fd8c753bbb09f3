package import HealthSyncPorts

/// What the page of devices uses.
package struct DeviceSources: Sendable {
    package var actions: any DeviceActions
    /// Encodes links and addresses for cameras.
    package var qrCodes: any QRCodeEncoder
    /// Returns whether and where posts are received now.
    package var reception: @Sendable () -> InboxReception

    package init(
        actions: any DeviceActions, qrCodes: any QRCodeEncoder, reception: @escaping @Sendable () -> InboxReception
    ) {
        self.actions = actions
        self.qrCodes = qrCodes
        self.reception = reception
    }
}

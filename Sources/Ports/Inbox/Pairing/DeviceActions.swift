package import HealthSyncDomain

/// The phones that may deliver to the inbox.
///
/// Contract: changes are durable when a method returns. Failures are `SyncFailure` with `.storage` or `.cannotCreate`.
package protocol DeviceActions: Sendable {
    /// Returns the tokens of all devices, valid or not, oldest first. The user of a token is the name of its device.
    func tokens() async throws -> [AccessToken]
    /// Creates a token for the device called `name` and returns what to fill in. If `app` asks for a token of its own,
    /// it may do so once within `PairingOffer.seconds`. Returns `nil` if a device with this name is paired.
    func pair(_ name: UserName, app: PhoneApp?, address: InboxAddress) async throws -> PhoneApp.Device?
    /// Revokes the tokens of the device called `name`. Returns their ids; none if no such device is paired.
    func revoke(_ name: UserName) async throws -> [String]
}

/// The offer to pair an app that asks for a token of its own.
package enum PairingOffer {
    /// How long it lasts.
    package static let seconds: Int64 = 600
}

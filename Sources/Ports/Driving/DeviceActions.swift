package import HealthSyncDomain

/// The phones that may deliver to the inbox.
///
/// Contract: changes are durable when a method returns. Failures are `SyncFailure` with `.storage` or `.cannotCreate`.
package protocol DeviceActions: Sendable {
    /// Returns the tokens of all devices, valid or not, oldest first. The user of a token is the name of its device.
    func tokens() async throws -> [AccessToken]
    /// Creates a token for the device called `name` and returns what to fill in. If `app` asks for a token of its own, phones
    /// may ask within `PairingOffer.seconds`. Returns `nil` if a device with this name is paired.
    func pair(_ name: UserName, app: PhoneApp?, address: InboxAddress) async throws -> PhoneApp.Device?
    /// Returns the offer to phones that ask for a token, with those that have asked; `nil` without one, or if it has ended.
    func offer() async throws -> PairingOffer?
    /// Lets the phone that got `code` have a token when it asks again. Returns `nil` if no phone has got this code.
    func confirm(_ code: String) async throws -> PairingOffer.Claim?
    /// Revokes the tokens of the device called `name`, and ends the offer to pair it. Returns the ids of the tokens; none if no
    /// such device is paired.
    func revoke(_ name: UserName) async throws -> [String]
}

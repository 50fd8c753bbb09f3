import HealthSyncDomain
import HealthSyncEngine
package import HealthSyncPorts

/// Creates the objects that the commands of the inbox use.
package struct InboxFactory: Sendable {
    /// Opens the tokens of the paired devices.
    package var devices: @Sendable (Settings) -> any AccessTokenStore
    /// Opens the archive of posts.
    package var archive: @Sendable (Settings) -> any InboxArchive
    /// Opens the offers to pair apps that ask for a token.
    package var offers: @Sendable (Settings) -> any PairingOffers
    /// Hashes secrets before they are stored.
    package var hasher: any SecretHasher
    /// Encodes addresses for cameras.
    package var qrCodes: any QRCodeEncoder
    /// Returns the address of this machine in its private network, such as `192.168.1.5`; `nil` if it has none.
    package var localAddress: @Sendable () -> String?

    package init(
        devices: @escaping @Sendable (Settings) -> any AccessTokenStore,
        archive: @escaping @Sendable (Settings) -> any InboxArchive,
        offers: @escaping @Sendable (Settings) -> any PairingOffers, hasher: any SecretHasher,
        qrCodes: any QRCodeEncoder, localAddress: @escaping @Sendable () -> String?
    ) {
        self.devices = devices
        self.archive = archive
        self.offers = offers
        self.hasher = hasher
        self.qrCodes = qrCodes
        self.localAddress = localAddress
    }

    /// Returns what pairs and revokes devices.
    func pairedDevices(_ settings: Settings, _ environment: CommandEnvironment) -> PairedDevices {
        PairedDevices(
            store: devices(settings), offers: offers(settings), hasher: hasher, random: environment.random,
            time: environment.time)
    }

    /// The address of an inbox on this machine that listens on the usual port, for phones in its network.
    var usualAddress: InboxAddress {
        InboxAddress(host: localAddress() ?? "127.0.0.1", port: InboxAddress.usualPort)
    }
}

import HealthSyncDomain
import HealthSyncEngine
package import HealthSyncPorts

/// Creates the objects that `watch` and the commands of the inbox use.
package struct WatchFactory: Sendable {
    /// Returns the numbers of received deliveries.
    package var ledger: @Sendable (Settings) -> any DeliveryLedger
    /// The decoders, in the order in which they are asked.
    package var decoders: [any InboxDecoder]
    /// Receives posts until the calling task is cancelled, then completes pending requests and returns.
    package var listen: @Sendable (InboxListenRequest) async throws -> Void
    /// Notices changes of files.
    package var changes: any SourceChanges
    package var hasher: any ContentHasher
    /// Writes buffered output.
    package var flush: @Sendable () -> Void
    /// Notifies the service manager of a state, such as `READY=1`.
    package var notify: @Sendable (_ state: String) -> Void

    package init(
        ledger: @escaping @Sendable (Settings) -> any DeliveryLedger, decoders: [any InboxDecoder],
        listen: @escaping @Sendable (InboxListenRequest) async throws -> Void, changes: any SourceChanges,
        hasher: any ContentHasher, flush: @escaping @Sendable () -> Void,
        notify: @escaping @Sendable (String) -> Void
    ) {
        self.ledger = ledger
        self.decoders = decoders
        self.listen = listen
        self.changes = changes
        self.hasher = hasher
        self.flush = flush
        self.notify = notify
    }
}

/// The parameters of an inbox that receives posts.
package struct InboxListenRequest: Sendable {
    /// Name or numeric address to listen on.
    package var host: String
    /// The port; 0 selects a free port.
    package var port: UInt16
    /// Whether devices with private and link-local addresses are admitted over plain HTTP.
    package var admitsLocalNetwork: Bool
    package var settings: Settings
    package var archive: any InboxArchive
    package var version: String
    /// Called once with the address, when the inbox accepts posts.
    package var ready: @Sendable (_ address: String) -> Void
    /// Called after a post is archived.
    package var received: @Sendable (ReceivedPost) -> Void

    package init(
        host: String, port: UInt16, admitsLocalNetwork: Bool, settings: Settings, archive: any InboxArchive,
        version: String, ready: @escaping @Sendable (String) -> Void,
        received: @escaping @Sendable (ReceivedPost) -> Void
    ) {
        self.host = host
        self.port = port
        self.admitsLocalNetwork = admitsLocalNetwork
        self.settings = settings
        self.archive = archive
        self.version = version
        self.ready = ready
        self.received = received
    }
}

/// A post that was archived.
package struct ReceivedPost: Sendable, Hashable {
    package var id: String
    /// The name of the app; `nil` if no decoder recognizes the post.
    package var sender: String?
    /// The size of the body as received, in bytes.
    package var bytes: Int64
    /// The name of the device.
    package var device: String

    package init(id: String, sender: String?, bytes: Int64, device: String) {
        self.id = id
        self.sender = sender
        self.bytes = bytes
        self.device = device
    }
}

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
    /// The decoders of plug-ins, to whose apps phones can be paired.
    package var plugInDecoders: [any InboxDecoder] = []

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

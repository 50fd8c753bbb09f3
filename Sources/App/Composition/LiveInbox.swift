import HealthSyncCommands
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncOutboxHTTP
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncSQLite
import HealthSyncSystem

/// Opens what the inbox consists of.
enum LiveInbox {
    /// Returns what the commands of the inbox use.
    static func factory() -> InboxFactory {
        InboxFactory(
            devices: { devices($0) }, archive: { archive($0) },
            offers: { PairingOfferFile(folder: $0.dataDirectory) }, hasher: LibcryptoHasher(),
            qrCodes: LibqrencodeEncoder(),
            localAddress: { LocalAddresses.all().first { PrivateNetwork.contains($0) } })
    }

    /// Returns what pulls posts from a server.
    static func pullFactory(time: any TimeSource) -> PullFactory {
        PullFactory(
            server: {
                try HTTPServerInbox(
                    address: $0.url, token: $0.token,
                    timeoutMilliseconds: Int($1.delivery.requestTimeoutMilliseconds), time: time)
            }, archive: { archive($0) })
    }

    /// Returns the tokens of the paired devices.
    static func devices(_ settings: Settings) -> any AccessTokenStore {
        SQLiteAccessTokenStore(path: settings.dataDirectory + "/devices.sqlite")
    }

    /// Returns the archive of posts.
    static func archive(_ settings: Settings) -> FileInboxArchive {
        FileInboxArchive(folder: settings.dataDirectory + "/inbox")
    }

    /// Returns what pairs an app that asks for a token, once the user has confirmed it, for `InboxAPI`.
    static func pairing(
        _ settings: Settings, devices: any AccessTokenStore, time: any TimeSource, log: any EventLog
    ) -> @Sendable (InboxAPI.PairingRequest) async throws -> InboxAPI.PairingReply {
        let devices = PairedDevices(
            store: devices, offers: PairingOfferFile(folder: settings.dataDirectory), hasher: LibcryptoHasher(),
            random: SystemRandom(), time: time)
        return { request in
            switch try await devices.ask(as: request.statedName, from: request.address) {
            case .paired(let token): return .paired(token: token.text, computer: LocalAddresses.hostName)
            case .unconfirmed(let claim, let device, let isNew):
                if isNew {
                    log.note(
                        "\(claim.description) asks to be paired as \(device.text); if its app shows the code "
                            + "\(claim.code), confirm it with `healthsync device confirm \(claim.code)`",
                        level: .warning)
                }
                return .unconfirmed(
                    "confirm the code \(claim.code) on the computer (`healthsync device confirm \(claim.code)`, or the "
                        + "page Devices), then pair here again")
            case .noOffer: return .rejected("run `healthsync pair NAME` on the computer first")
            case .tooMany: return .rejected("too many phones ask; type the token instead")
            }
        }
    }

    /// Returns the settings of a server of an inbox over plain HTTP.
    ///
    /// - Parameters:
    ///   - socket: a socket that the service manager passed, instead of `host` and `port`.
    ///   - allowsLAN: whether it accepts private and link-local addresses in addition to this machine.
    /// - Throws: `SyncFailure` with `.configuration` if other machines can reach the address and `allowsLAN` is not set.
    static func daemonSettings(
        host: String, port: UInt16, socket: ServiceSocket?, allowsLAN: Bool
    ) throws(SyncFailure) -> DaemonSettings {
        var settings = DaemonSettings(host: host, port: port)
        settings.use(socket)
        settings.acceptsOnlyPrivateAddresses = true
        guard settings.isLoopback || allowsLAN else {
            throw SyncFailure(
                .configuration, subject: "--listen", reason: "\(settings.host) can be reached from other machines",
                advice: "add --lan to accept devices in the private network, or listen on 127.0.0.1")
        }
        return settings
    }
}

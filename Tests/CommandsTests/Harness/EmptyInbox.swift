import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit

extension InboxFactory {
    /// A factory without devices and posts, whose tokens are in memory.
    static var empty: InboxFactory {
        let (devices, archive, offers) = (InMemoryAccessTokenStore(), InMemoryInboxArchive(), InMemoryPairingOffers())
        return InboxFactory(
            devices: { _ in devices }, archive: { _ in archive }, offers: { _ in offers },
            hasher: LibcryptoHasher(),
            qrCodes: LibqrencodeEncoder(), localAddress: { "192.168.1.5" })
    }
}

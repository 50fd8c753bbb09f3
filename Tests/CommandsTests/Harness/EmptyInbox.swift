import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit

extension InboxFactory {
    /// A factory without devices and posts, whose tokens are in memory.
    static var empty: InboxFactory {
        let (devices, archive) = (InMemoryAccessTokenStore(), InMemoryInboxArchive())
        return InboxFactory(
            devices: { _ in devices }, archive: { _ in archive }, offers: { _ in NoOffers() },
            hasher: LibcryptoHasher(),
            qrCodes: LibqrencodeEncoder(), localAddress: { "192.168.1.5" })
    }
}

private struct NoOffers: PairingOffers {
    func offer(_ name: UserName, until end: Instant) throws {}
    func take(at now: Instant) throws -> UserName? { nil }
}

import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestTools
import Testing

@Suite("Pairing offers")
struct PairingOfferFileTests {
    private let now = Instant(seconds: 1_700_000_000)

    @Test("An offer is taken once, before it ends")
    func once() throws {
        let folder = TemporaryFolder.untilExit() + "/data"
        let (command, server) = (PairingOfferFile(folder: folder), PairingOfferFile(folder: folder))
        #expect(try server.take(at: now) == nil)
        try command.offer(.local, until: now.advanced(bySeconds: 9))
        #expect(try PosixFiles().status(of: folder + "/healthsync.pairing")?.permissions == 0o600)
        #expect(try server.take(at: now) == .local)
        #expect(try server.take(at: now) == nil)
        try command.offer(.local, until: now)
        #expect(try server.take(at: now) == nil)
    }

    @Test("A later offer replaces an earlier one")
    func replacement() throws {
        let offers = PairingOfferFile(folder: TemporaryFolder.untilExit() + "/data")
        let name = try #require(UserName("anna"))
        try offers.offer(.local, until: now)
        try offers.offer(name, until: now.advanced(bySeconds: 9))
        #expect(try offers.take(at: now) == name)
    }
}

import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("Pairing offers")
struct PairingOfferFileTests {
    @Test(
        arguments: PairingOffersContract.clauses {
            let folder = TemporaryFolder.untilExit() + "/data"
            return (PairingOfferFile(folder: folder), PairingOfferFile(folder: folder))
        })
    func files(_ clause: ContractClause) async throws { try await clause.check() }

    @Test(
        arguments: PairingOffersContract.clauses {
            let offers = InMemoryPairingOffers()
            return (offers, offers)
        })
    func memory(_ clause: ContractClause) async throws { try await clause.check() }

    @Test("The file is private, and nothing else is created")
    func privacy() throws {
        let folder = TemporaryFolder.untilExit() + "/data"
        let offers = PairingOfferFile(folder: folder)
        #expect(try offers.current() == nil)
        #expect(!FileManager.default.fileExists(atPath: folder))
        try offers.change { $0 = PairingOffer(device: .local, end: Instant(seconds: 9)) }
        #expect(try PosixFiles().status(of: folder + "/healthsync.pairing")?.permissions == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["healthsync.pairing"])
        try offers.change { $0 = nil }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test(
        "A damaged offer, or one of a version without codes, does not count and can be replaced",
        arguments: [
            "", "{", "[]", #"{"name":"phone","endMilliseconds":9000000000000}"#, #"{"name":"../x"}"#,
            #"{"name":"phone","endMilliseconds":-9223372036854775808,"claims":[]}"#,
            #"{"name":"phone","endMilliseconds":9223372036854775807,"claims":[]}"#,
            #"{"name":"phone","endMilliseconds":9000,"claims":[{"code":"123456","address":"10.0.0.9","#
                + #""askedAtMilliseconds":9223372036854775807,"isConfirmed":true}]}"#,
        ])
    func damage(text: String) throws {
        let folder = TemporaryFolder.untilExit()
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/healthsync.pairing"))
        let offers = PairingOfferFile(folder: folder)
        #expect(try offers.current() == nil)
        let offer = PairingOffer(device: .local, end: Instant(seconds: 9))
        try offers.change { $0 = offer }
        #expect(try offers.current() == offer)
    }
}

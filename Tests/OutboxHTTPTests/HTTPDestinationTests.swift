import HealthSyncDomain
import HealthSyncOutboxHTTP
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import Testing

/// The HTTP destination keeps the same contract as the destinations of plug-ins.
@Suite("HTTP destination")
struct HTTPDestinationTests {
    @Test(
        arguments: HealthDestinationContract.clauses {
            let peer = try await PeerServer()
            return HealthDestinationFixture(
                open: { try HTTPDestinationTests.open(peer.address) },
                storedCount: { try peer.received().count { $0.status == "created" } })
        })
    func keepsTheContract(_ clause: ContractClause) async throws { try await clause.check() }

    @Test func recognizesAddressesOfServers() {
        let format = HTTPDestinationFormat()
        #expect(["https://a.example", "HTTP://a"].allSatisfy(format.recognizes))
        #expect(!["ndjson:/a", "a.example", "ftp://a", ""].contains(where: format.recognizes))
    }

    @Test func keysNeverChange() throws {
        let batch = try Senders.stepsBatch(to: "https://example.org", days: 1)
        #expect(batch.key == "9559e0ab-3d4d-8188-ba28-a568b4fb284f")
    }

    private static func open(_ address: String) throws -> HealthDestination {
        try HTTPDestinationFormat().destination(
            for: DestinationRequest(
                address: address, userProfile: Senders.profile, time: SystemClock(environment: [:])))
    }
}

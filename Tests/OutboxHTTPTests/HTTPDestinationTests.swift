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
            var fixture = HealthDestinationFixture(
                open: { try HTTPDestinationTests.open(peer.address) },
                storedCount: { try peer.received().count { $0.status == "created" } },
                setAvailable: { isAvailable in
                    let fault = #"[{"match":"* /api/*","do":"status","times":null,"status":503}]"#
                    try await peer.follow(isAvailable ? "[]" : fault)
                })
            fixture.openByOtherSpelling = {
                try HTTPDestinationTests.open(peer.address.replacing("http:", with: "HTTP:") + "/")
            }
            fixture.storedIDs = {
                try peer.received().filter { ["created", "updated"].contains($0.status) }.reduce(into: []) {
                    guard let id = $1.id.map(HTTPDestinationTests.spelled) else { return }
                    if $1.op == "delete" { $0.remove(id) } else { $0.insert(id) }
                }
            }
            fixture.reject = { id in
                let fault =
                    #"[{"match":"POST *","do":"reject_ids","times":null,"ids":["\#(id)"],"reason":"no such day"}]"#
                try await peer.follow(fault)
            }
            return fixture
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

    /// Returns the id as the client sent it: the peer stores ids in lower case.
    private static func spelled(_ id: String) -> String {
        guard id.contains("/hour/"), let slash = id.lastIndex(of: "/") else { return id }
        return id[..<slash] + id[slash...].uppercased()
    }

    private static func open(_ address: String) throws -> HealthDestination {
        try HTTPDestinationFormat().destination(
            for: DestinationRequest(
                address: address, userProfile: Senders.profile, timeoutMilliseconds: Senders.patience,
                time: SystemClock(environment: [:])))
    }
}

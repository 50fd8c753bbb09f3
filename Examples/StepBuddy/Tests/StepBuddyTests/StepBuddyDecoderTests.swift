import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import StepBuddy
import Testing

struct StepBuddyDecoderTests {
    @Test(arguments: InboxDecoderContract.clauses(for: fixture))
    func keepsTheContract(_ clause: ContractClause) async throws {
        try await clause.check()
    }

    @Test("An entry without a value is rejected, and the others are delivered")
    func oneBadEntry() async throws {
        let post = Self.post("1", Self.walk.replacing(#","value":120"#, with: "") + "," + Self.pulse)
        let reading = try await CollectedReading.collect(
            DecodedPosts(StepBuddyDecoder(), [post]), SampleSelection(types: [.stepCount, .heartRate]))
        #expect(reading.samples.map(\.value) == [61])
        #expect(reading.account.rejected == ["not a sample": 1])
    }

    private static let walk =
        #"{"type":"stepCount","from":"2024-01-15T08:00:00Z","to":"2024-01-15T08:10:00Z","value":120,"unit":"count"}"#
    private static let pulse =
        #"{"type":"heartRate","from":"2024-01-15T08:05:00Z","to":"2024-01-15T08:05:00Z","value":61,"unit":"count/min"}"#

    private static func post(_ id: String, _ samples: String, app: String = "StepBuddy") -> InboxPost {
        let head = InboxHead(
            method: "POST", path: ["stepbuddy"], device: "phone", receivedAt: Instant(seconds: 1_705_392_000))
        return InboxPost(id: id, head: head, body: Array(#"{"app":"\#(app)","samples":[\#(samples)]}"#.utf8))
    }

    private static let fixture = InboxDecoderFixture(
        StepBuddyDecoder(), post: post("1", walk + "," + pulse), next: post("2", walk.replacing("08:", with: "09:")),
        selection: SampleSelection(types: [.stepCount]), broken: post("3", "{"), foreign: post("4", walk, app: "Other"))
}

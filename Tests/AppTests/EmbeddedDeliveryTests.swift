import HealthSyncApp
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestTools
import Synchronization
import Testing

@Suite("Delivery by a sender of the embedding program") struct EmbeddedDeliveryTests {
    /// A destination in memory, at the address `memory:`.
    private final class Memory: HealthDestinationFormat, HealthRecordEncoder, HealthRecordSender {
        let addressForm = "memory:"
        private let keys = Mutex<Set<String>>([])
        private let records = Mutex<Set<String>>([])

        var stored: Set<String> { records.withLock { $0 } }

        func recognizes(_ address: String) -> Bool { address == addressForm }
        func destination(for request: DestinationRequest) -> HealthDestination {
            HealthDestination(address: request.address, encoder: self, sender: self)
        }

        func payload(of progress: RevisedRecord<DailyProgress>) -> [UInt8] { Array(progress.sourceID.utf8) }
        func payload(of session: RevisedRecord<SleepSession>) -> [UInt8] { Array(session.sourceID.utf8) }
        func payload(of snapshot: RevisedRecord<ActivitySnapshot>) -> [UInt8] { Array(snapshot.sourceID.utf8) }

        func capabilities() async -> CapabilityAnswer {
            .capabilities(DestinationCapabilities(batchLimits: [.progress: 10, .sleep: 10, .snapshots: 10]))
        }
        func content(of records: [OutgoingRecord], capabilities: DestinationCapabilities) -> BatchContent {
            BatchContent(body: records.flatMap(\.payload))
        }
        func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> BatchVerdict {
            if keys.withLock({ $0.insert(batch.key).inserted }) {
                records.withLock { $0.formUnion(batch.recordIDs.joined()) }
            }
            return .delivered(batch)
        }
    }

    @Test("Records arrive at the destination that the program adds, and once")
    func delivered() async throws {
        let folder = try TemporaryFolder()
        let memory = Memory()
        let pedometer = Pedometer(counts: [(Instant(seconds: 1_705_305_600), 100)])
        var request = HealthSync.Request(
            .historical(), dataDirectory: folder.path, sources: [.opened(pedometer)], zone: "UTC")
        request.server = .init(url: "memory:")
        let report = try await HealthSync.run(request, senders: [memory])
        #expect(report.exitStatus == 0, "\(report.problems)")
        #expect(memory.stored.contains("steps/day/2024-01-15"))
        let count = memory.stored.count
        #expect(try await HealthSync.run(request, senders: [memory]).exitStatus == 0)
        #expect(memory.stored.count == count)
    }

    @Test("What was stored without a server is pushed later, also after a pause")
    func pushed() async throws {
        let folder = try TemporaryFolder()
        let memory = Memory()
        let pedometer = Pedometer(counts: [(Instant(seconds: 1_705_305_600), 100)])
        _ = try await HealthSync.run(
            HealthSync.Request(.historical(), dataDirectory: folder.path, sources: [.opened(pedometer)], zone: "UTC"))
        let data = try await HealthSync.open(folder.path, server: .init(url: "memory:"), senders: [memory])
        try data.pause()
        let held = try await data.push(all: true)
        #expect(held.exitStatus == 3 && memory.stored.isEmpty)
        #expect(try data.resume())
        let report = try await data.push(deadlineSeconds: 60)
        #expect(report.exitStatus == 0 && report.account.delivery?.left == 0)
        #expect(memory.stored.contains("steps/day/2024-01-15"))
        let failure = await #expect(throws: SyncFailure.self) { _ = try await data.verify() }
        #expect(failure?.code == .unverifiable)
    }

    @Test("An address that no sender recognizes is an error")
    func unknown() async throws {
        let folder = try TemporaryFolder()
        var request = HealthSync.Request(.historical(), dataDirectory: folder.path, zone: "UTC")
        request.server = .init(url: "memory:")
        let copy = request
        let failure = await #expect(throws: SyncFailure.self) { try await HealthSync.run(copy) }
        #expect([.configuration, .usage].contains(failure?.code))
    }
}

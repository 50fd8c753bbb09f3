import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization

/// A store that returns a few pages of samples and then fails.
final class FailingStore: ReceivedDataStore {
    private let inner = InMemoryReceivedDataStore()
    private let pagesLeft: Mutex<Int>

    private let isStopped: Bool

    init(afterPages pages: Int, isStopped: Bool = false) {
        pagesLeft = Mutex(pages)
        self.isStopped = isStopped
    }

    private static let failure = SyncFailure(
        .storage, subject: "/secret/received.db", reason: "disk I/O error", advice: "check the disk")

    func samples(_ query: SampleQuery) async throws -> ReceivedSamplePage {
        let isOver = pagesLeft.withLock { pages in
            pages -= 1
            return pages < 0
        }
        guard !isOver else { throw Self.failure }
        return try await inner.samples(query)
    }

    func store(_ write: ReceivedWrite) async throws -> [StoreOutcome] { try await inner.store(write) }
    func removeAllSamples(of type: String, user: UserName) async throws -> Int { throw Self.failure }
    func sampleStarts(of type: String, user: UserName) async throws -> ClosedRange<Instant>? { throw Self.failure }
    func sampleCount(_ query: SampleQuery) async throws -> Int { try await inner.sampleCount(query) }
    func recordTypes(of kind: RecordKind, user: UserName) async throws -> [String] { throw Self.failure }
    func records(_ query: RecordQuery) async throws -> [StoredRecord] { throw Self.failure }
    func recordCount(_ query: RecordQuery) async throws -> Int { throw Self.failure }
    func fold<Result: Sendable>(
        _ scan: RecordScan, into initial: Result,
        _ body: @escaping @Sendable (inout Result, ReceivedRecord) throws -> Void
    ) async throws -> Result { throw Self.failure }
    func digests(of type: String, in intervals: [InstantRange], user: UserName) async throws -> [SampleSetDigest] {
        throw Self.failure
    }
    func inventory(of user: UserName) async throws -> ReceivedInventory { throw Self.failure }
    func deleteBatchKeys(before instant: Instant) async throws {}
    func version(of user: UserName) async throws -> DataVersion? { nil }
    func checkWritable() async throws { if isStopped { throw Self.failure } }
    func close() async { await inner.close() }
}

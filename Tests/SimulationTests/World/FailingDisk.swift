import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization

/// A store of a server whose disk fails at single changes.
final class FailingDisk: ReceivedDataStore {
    private let store: any ReceivedDataStore
    private let next = Mutex<Fuse?>(nil)

    init(_ store: any ReceivedDataStore) { self.store = store }

    func failNextChange(afterCommit: Bool) {
        next.withLock { $0 = Fuse(failing: 0..<1, afterCommit: afterCommit) }
    }

    private func change<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        let fuse = next.withLock { next in
            defer { next = nil }
            return next
        }
        guard let fuse else { return try await body() }
        return try await fuse.change(of: "received", body)
    }

    func store(_ write: ReceivedWrite) async throws -> [StoreOutcome] {
        try await change { try await store.store(write) }
    }

    func removeAllSamples(of type: String, user: UserName) async throws -> Int {
        try await change { try await store.removeAllSamples(of: type, user: user) }
    }

    func deleteBatchKeys(before instant: Instant) async throws {
        try await change { try await store.deleteBatchKeys(before: instant) }
    }

    func samples(_ query: SampleQuery) async throws -> ReceivedSamplePage { try await store.samples(query) }

    func sampleCount(_ query: SampleQuery) async throws -> Int { try await store.sampleCount(query) }

    func sampleStarts(of type: String, user: UserName) async throws -> ClosedRange<Instant>? {
        try await store.sampleStarts(of: type, user: user)
    }

    func records(_ query: RecordQuery) async throws -> [StoredRecord] { try await store.records(query) }

    func recordCount(_ query: RecordQuery) async throws -> Int { try await store.recordCount(query) }

    func fold<Result: Sendable>(
        _ scan: RecordScan, into initial: Result,
        _ body: @escaping @Sendable (inout Result, ReceivedRecord) throws -> Void
    ) async throws -> Result { try await store.fold(scan, into: initial, body) }

    func digests(of type: String, in intervals: [InstantRange], user: UserName) async throws -> [SampleSetDigest] {
        try await store.digests(of: type, in: intervals, user: user)
    }

    func recordTypes(of kind: RecordKind, user: UserName) async throws -> [String] {
        try await store.recordTypes(of: kind, user: user)
    }

    func inventory(of user: UserName) async throws -> ReceivedInventory { try await store.inventory(of: user) }
    func version(of user: UserName) async throws -> DataVersion? { try await store.version(of: user) }
    func checkWritable() async throws { try await store.checkWritable() }
    func close() async { await store.close() }
}

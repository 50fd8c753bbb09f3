import HealthSyncDomain
import HealthSyncPorts

enum ReceivedBatchChecks {
    static let all: [ReceivedStoreCheck] = [
        ("a key that is used with other content is rejected and nothing is stored", keys),
        ("concurrent requests all succeed and each record is stored once", concurrency),
        ("an empty request is stored", empty),
    ]

    @Sendable static func keys(_ store: any ReceivedDataStore) async throws {
        let samples = ReceivingSamples.steps(2)
        let key = BatchKey(key: "k", content: ContentDigest(high: 1, low: 2))
        let other = BatchKey(key: "k", content: ContentDigest(high: 1, low: 3))
        try ContractViolation.unlessEqual(try await store.put([samples[0]], key: key), [.created], "first")
        try ContractViolation.unlessEqual(try await store.put([samples[0]], key: key), [.duplicate], "again")
        do {
            _ = try await store.put([samples[1]], key: other)
            throw ContractViolation("other content was stored with the same key")
        } catch let failure as SyncFailure {
            try ContractViolation.unlessEqual(failure.code, .batchKeyReused, "code")
        }
        try ContractViolation.unlessEqual(try await store.all().count, 1, "stored")
        try await store.deleteBatchKeys(before: ReceivingSamples.now.advanced(bySeconds: 1))
        try ContractViolation.unlessEqual(try await store.put([samples[1]], key: other), [.created], "deleted key")
    }

    @Sendable static func concurrency(_ store: any ReceivedDataStore) async throws {
        let samples = ReceivingSamples.steps(200)
        let outcomes = try await withThrowingTaskGroup(of: [StoreOutcome].self) { group in
            for worker in 0..<16 {
                group.addTask {
                    var outcomes: [StoreOutcome] = []
                    for first in stride(from: 0, to: 200, by: 20) {
                        let part = samples[first..<first + 20]
                        outcomes += try await store.put(worker % 2 == 0 ? Array(part) : part.reversed())
                    }
                    return outcomes
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        try ContractViolation.unlessEqual(outcomes.count { $0 == .created }, 200, "created")
        try ContractViolation.unlessEqual(outcomes.count { $0 == .duplicate }, 3_000, "duplicate")
        try ContractViolation.unlessEqual(Set(try await store.all().map(\.id)).count, 200, "stored")
    }

    @Sendable static func empty(_ store: any ReceivedDataStore) async throws {
        try ContractViolation.unlessEqual(try await store.put([] as [ReceivedSample]), [], "samples")
        try ContractViolation.unlessEqual(try await store.put([], .sleep), [], "records")
    }
}

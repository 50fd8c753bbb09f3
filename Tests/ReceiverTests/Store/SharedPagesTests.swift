import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Samples of many small requests are stored in few pages, unchanged.
@Suite struct SharedPagesTests {
    @Test func consecutiveSmallRequestsLeaveFewPages() async throws {
        let path = TemporaryFolder.untilExit() + "/received.db"
        let store = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
        for first in stride(from: 0, to: 6_000, by: 10) {
            let outcomes = try await store.store(SQLiteReceivedStoreTests.write(first..<first + 10))
            #expect(outcomes.allSatisfy { $0 == .created })
        }
        let sizes = try await numbers(path, "sizes")
        #expect(sizes.reduce(0, +) == 6_000)
        #expect(sizes.count < 15, "\(sizes)")
        #expect(try await ids(path) == (0..<6_000).map { "\(ReceivingSamples.id($0))" })
        await store.close()
    }

    @Test func concurrentRequestsShareThePageOfTheirCommit() async throws {
        let path = TemporaryFolder.untilExit() + "/received.db"
        let store = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for first in stride(from: 0, to: 10_000, by: 10) {
                group.addTask { _ = try await store.store(SQLiteReceivedStoreTests.write(first..<first + 10)) }
            }
            try await group.waitForAll()
        }
        #expect(try await numbers(path, "sizes").count < 60)
        #expect(try await Set(ids(path)) == Set((0..<10_000).map { "\(ReceivingSamples.id($0))" }))
        await store.close()
    }

    /// Two users concurrently repeat, revise and delete samples that may not be written yet; some requests are
    /// rejected.
    @Test(arguments: 0..<Seeds.count(few: 1, some: 6, many: 60))
    func concurrentRequestsHaveTheResultOfConsecutiveOnes(seed: UInt64) async throws {
        let path = TemporaryFolder.untilExit() + "/received.db"
        let store = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
        let users = try [UserName.local, #require(UserName("anna"))]
        var random = SeededRandom(seed: seed)
        var writes: [ReceivedWrite] = []
        for number in 0..<400 {
            let first = Int.random(in: 0..<300, using: &random)
            var samples = Array(ReceivingSamples.steps(first + Int.random(in: 1...12, using: &random))[first...])
            let revision = Int64.random(in: 0...3, using: &random)
            for index in samples.indices {
                // The content of a revision follows from its number, so the highest revision determines the result.
                samples[index].revision = revision
                samples[index].value = Double(revision * 1_000) + Double(first + index)
                if revision == 2 { samples[index] = .tombstone(samples[index].id, revision: 2) }
            }
            let origin = ReceivedOrigin(bundleID: "b", deviceName: nil, unit: "count")
            var write = ReceivedWrite(
                user: users[number % 3 / 2], receivedAt: ReceivingSamples.now,
                content: .samples(type: "steps", ReceivedSampleBatch(origins: [origin], samples: samples)))
            if number % 9 == 0 { write.key = BatchKey(key: "k", content: ContentDigest(high: 1, low: UInt64(number))) }
            writes.append(write)
        }
        let stored = await storeAll(writes, in: store)
        #expect(stored.count { !$0 } == writes.count { $0.key != nil } - 1, "a used key is rejected")
        for user in users {
            var highest: [SampleID: ReceivedSample] = [:]
            for (write, isStored) in zip(writes, stored) where isStored && write.user == user {
                guard case .samples(_, let batch) = write.content else { continue }
                for sample in batch.samples where sample.revision >= highest[sample.id]?.revision ?? 0 {
                    highest[sample.id] = sample
                }
            }
            let page = try await store.samples(SampleQuery(user: user, type: "steps", limit: 10_000))
            let alive = highest.values.filter { !$0.isDeleted }
            #expect(page.batch.samples.count == alive.count)
            for sample in page.batch.samples {
                #expect(sample.revision == highest[sample.id]?.revision)
                #expect(sample.value == highest[sample.id]?.value)
            }
        }
        let rows = try await ids(path)
        await store.close()
        // The index in memory contains the same ids as one that is read again.
        let again = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
        for (write, isStored) in zip(writes, stored) where isStored && write.key == nil {
            let outcomes = try await again.store(write)
            #expect(outcomes.allSatisfy { $0 != StoreOutcome.created })
        }
        #expect(try await ids(path).count == rows.count)
        await again.close()
    }

    /// Returns whether each write was stored.
    private func storeAll(_ writes: [ReceivedWrite], in store: SQLiteReceivedDataStore) async -> [Bool] {
        await withTaskGroup(of: (Int, Bool).self) { group in
            for (index, write) in writes.enumerated() {
                group.addTask { (index, (try? await store.store(write)) != nil) }
            }
            return await group.reduce(into: [Bool](repeating: false, count: writes.count)) { $0[$1.0] = $1.1 }
        }
    }

    private func ids(_ path: String) async throws -> [String] {
        try await lines(path).map { $0.split(separator: "\t")[3] }.map(String.init)
    }

    private func numbers(_ path: String, _ what: String) async throws -> [Int] {
        try await lines(path, what).compactMap { Int($0) }
    }

    private func lines(_ path: String, _ words: String...) async throws -> [Substring] {
        let (status, output) = try await Peer.run("servers/received_pages.py", [path] + words)
        try ContractViolation.unlessEqual(status, 0, output)
        return output.split(separator: "\n")
    }
}

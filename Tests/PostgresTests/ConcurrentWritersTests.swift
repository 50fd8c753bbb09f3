import HealthSyncDomain
import HealthSyncPorts
import HealthSyncPostgres
import HealthSyncTestKit
import Testing

@Suite(.enabled(if: TestServer.isInstalled, "no PostgreSQL server is installed"))
struct ConcurrentWritersTests {
    private struct Change: Hashable {
        var id: Int
        var revision: Int64
    }

    @Test func theHighestRevisionWinsInAnyOrderOfWriters() async throws {
        let (database, stores) = try await Writes.stores(3)
        let (ids, revisions, writers) = (200, Int64(16), 12)
        let accepted = try await withThrowingTaskGroup(of: [(Change, StoreOutcome, Double)].self) { group in
            for writer in 0..<writers {
                group.addTask {
                    var random = SeededRandom(seed: UInt64(writer))
                    var accepted: [(Change, StoreOutcome, Double)] = []
                    for revision in (1...revisions).shuffled(using: &random) {
                        let numbers = (0..<ids).shuffled(using: &random)
                        let value = Double(revision) * 1_000 + Double(writer)
                        let outcomes = try await stores[writer % 3].store(
                            Writes.steps(numbers.map { Writes.sample($0, revision: revision, value: value) }))
                        for (number, outcome) in zip(numbers, outcomes) where outcome != .duplicate {
                            accepted.append((Change(id: number, revision: revision), outcome, value))
                        }
                    }
                    return accepted
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(accepted.count { $0.1 == .created } == ids)
        let values = Dictionary(grouping: accepted, by: \.0).mapValues { $0.map(\.2) }
        #expect(values.values.allSatisfy { $0.count == 1 }, "two writers stored the same revision")
        let stored = try await stores[0].samples(SampleQuery(user: .local, type: "steps")).batch.samples
        #expect(stored.count == ids)
        for number in 0..<ids {
            let sample = stored.first { $0.id == ReceivingSamples.id(number) }
            #expect(sample?.revision == revisions)
            #expect(sample.map { [$0.value] } == values[Change(id: number, revision: revisions)])
        }
        let found = try await TestServer.shared.value.samples(in: database)
        #expect(found.map { $0[0] } == (1...ids).map { "\($0)" })
        #expect(Set(found.map { $0[3] }).count == ids)
        #expect(found.allSatisfy { $0[9] == "\(revisions)" })
        for store in stores { await store.close() }
    }

    @Test func aKeyIsDecidedOnceForAllProcesses() async throws {
        let (database, stores) = try await Writes.stores(3)
        let keys = 40
        let stored = try await withThrowingTaskGroup(of: Int.self) { group in
            for (index, store) in stores.enumerated() {
                for number in 0..<keys {
                    group.addTask {
                        // Each process uses different content under the same key.
                        let key = BatchKey(key: "k\(number)", content: ContentDigest(high: 1, low: UInt64(index)))
                        let sample = Writes.sample(number * 3 + index)
                        do {
                            return try await store.store(Writes.steps([sample], key: key)).count { $0 == .created }
                        } catch let failure as SyncFailure where failure.code == .batchKeyReused {
                            return 0
                        }
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(stored == keys)
        let found = try await TestServer.shared.value.samples(in: database)
        let numbers = found.compactMap { Int64($0[4]) }.map { ($0 - ReceivingSamples.now.milliseconds) / 180_000 }
        #expect(numbers.sorted() == (0..<Int64(keys)).map(\.self))
        let rows = try await TestServer.shared.value.sql("SELECT count(*) FROM healthsync.batch_keys", in: database)
        #expect(rows == "\(keys)")
        for store in stores { await store.close() }
    }

    @Test func aCursorSkipsNothingWhileOthersWrite() async throws {
        let (_, stores) = try await Writes.stores(4)
        let writers = 9
        let isWritten = Flag()
        let writing = Task {
            defer { isWritten.raise() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        for round in 0..<20 {
                            let first = (writer * 20 + round) * 10
                            _ = try await stores[writer % 3].store(
                                Writes.steps((first..<first + 1 + round % 10).map { Writes.sample($0) }))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        let total = writers * (0..<20).reduce(0) { $0 + 1 + $1 % 10 }
        var read: [SampleID] = []
        var query = SampleQuery(user: .local, type: "steps", limit: 7)
        while read.count + query.limit < total, !isWritten.isRaised {
            let page = try await stores[3].samples(query)
            // The last page is not full yet, so it is requested again.
            guard let next = page.next else { continue }
            #expect(next > query.after)
            read += page.batch.samples.map(\.id)
            query.after = next
        }
        try await writing.value
        query.limit = total
        read += try await stores[3].samples(query).batch.samples.map(\.id)
        let whole = try await stores[3].samples(SampleQuery(user: .local, type: "steps")).batch.samples.map(\.id)
        #expect(read.count == total)
        #expect(read == whole)
        for store in stores { await store.close() }
    }

    @Test func aRequestThatCannotBeStoredFailsAlone() async throws {
        let (_, stores) = try await Writes.stores(1)
        let stored = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    var sample = Writes.sample(number)
                    if number == 20 { sample.end = sample.start.advanced(bySeconds: -1) }
                    return (try? await stores[0].store(Writes.steps([sample]))) == [.created]
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(stored == 39)
        #expect(try await stores[0].sampleCount(SampleQuery(user: .local, type: "steps")) == 39)
        await stores[0].close()
    }
}

import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Whatever users write, revise, delete and remove, the store answers like the small store in memory, and Python
/// recomputes the sums of cells and the index of ids from the samples.
@Suite("Data that a server derives from samples", .timeLimit(.minutes(20)))
struct DerivedDataTests {
    private struct Series: Hashable {
        var user: UserName
        var type: String
    }

    private let path = TemporaryFolder.untilExit() + "/received.db"
    private static let origin = ReceivedOrigin(bundleID: "b", deviceName: nil, unit: "count")

    @Test(arguments: 0..<Seeds.count(few: 1, some: 4, many: 40))
    func agreesWithASimpleStore(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let anna = try #require(UserName("anna"))
        let all = [
            Series(user: .local, type: "steps"), Series(user: anna, type: "steps"), Series(user: anna, type: "x"),
        ]
        let reference = InMemoryReceivedDataStore()
        var store = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
        for round in 0..<60 {
            let series = try #require(all.randomElement(using: &random))
            if round % 25 == 24 {
                #expect(
                    try await store.removeAllSamples(of: series.type, user: series.user)
                        == reference.removeAllSamples(of: series.type, user: series.user))
            }
            let write = Self.write(to: series, round: round, &random)
            #expect(try await store.store(write) == reference.store(write))
            if round % 10 == 9 {
                for series in all { try await compare(series, store, reference, &random) }
                await store.close()
                let (status, output) = try await Peer.run("servers/received_pages.py", [path, "check"])
                try ContractViolation.unlessEqual(status, 0, output)
                store = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
            }
        }
        await store.close()
    }

    /// Returns up to 3,000 samples, many of them new, the others known or revised. Some requests repeat all ids.
    private static func write(to series: Series, round: Int, _ random: inout SeededRandom) -> ReceivedWrite {
        let count = [1, 40, 700, 3_000].randomElement(using: &random) ?? 1
        let first = Int.random(in: 0..<12_000, using: &random)
        var samples: [ReceivedSample] = []
        for number in first..<first + count {
            // The ids of two types of a user are equal.
            let start = ReceivingSamples.now.advanced(bySeconds: Int64(number * 7_919 % 200_000) * 600)
            var sample = ReceivedSample(
                id: ReceivingSamples.id(number), start: start, end: start.advanced(bySeconds: 60),
                value: Double(number % 97))
            if round % 3 == 2 {
                sample.revision = Int64.random(in: 0...2, using: &random)
                sample.value += Double(sample.revision)
                if Int.random(in: 0..<9, using: &random) == 0 {
                    sample = .tombstone(sample.id, revision: sample.revision)
                }
            }
            samples.append(sample)
        }
        return ReceivedWrite(
            user: series.user, receivedAt: ReceivingSamples.now,
            content: .samples(type: series.type, ReceivedSampleBatch(origins: [origin], samples: samples)))
    }

    private func compare(
        _ series: Series, _ store: SQLiteReceivedDataStore, _ reference: InMemoryReceivedDataStore,
        _ random: inout SeededRandom
    ) async throws {
        let query = SampleQuery(user: series.user, type: series.type, limit: 100_000)
        let stored = try await store.samples(query).batch.samples
        #expect(try await stored.map(\.id) == reference.samples(query).batch.samples.map(\.id))
        #expect(try await store.sampleCount(query) == stored.count)
        #expect(try await store.inventory(of: series.user) == reference.inventory(of: series.user))
        for _ in 0..<8 {
            let start = ReceivingSamples.now.advanced(
                bySeconds: Int64.random(in: -1_000_000...120_000_000, using: &random))
            let length = Int64(1) << Int64.random(in: 6...28, using: &random)
            let interval = InstantRange(start: start, end: start.advanced(bySeconds: length))
            let digest = try await store.digest(of: series.type, in: interval, user: series.user)
            #expect(try await digest == reference.digest(of: series.type, in: interval, user: series.user))
            var part = query
            (part.from, part.until) = (interval.start, interval.end)
            #expect(try await store.sampleCount(part) == digest.count)
        }
    }
}

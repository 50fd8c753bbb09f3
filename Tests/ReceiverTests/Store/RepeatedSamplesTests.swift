import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Samples that are sent again have the same outcomes in whatever order and company they arrive.
@Suite("Samples that are sent again", .timeLimit(.minutes(20)))
struct RepeatedSamplesTests {
    private static let count = 21_000
    private static let origin = ReceivedOrigin(bundleID: "b", deviceName: nil, unit: "count")

    private static func write(_ numbers: some Sequence<Int>, revision: Int64 = 0) -> ReceivedWrite {
        let samples = numbers.map { number in
            let start = ReceivingSamples.now.advanced(bySeconds: Int64(number) * 60)
            return ReceivedSample(
                id: ReceivingSamples.id(number), start: start, end: start, value: Double(revision), revision: revision)
        }
        return ReceivedWrite(
            user: .local, receivedAt: ReceivingSamples.now,
            content: .samples(type: "steps", ReceivedSampleBatch(origins: [origin], samples: samples)))
    }

    /// Requests in orders other than that of storing, some with new samples, revisions and repetitions.
    private static func requests(_ random: inout SeededRandom) -> [ReceivedWrite] {
        let all = Array(0..<count)
        let some = (0..<2_500).map { _ in Int.random(in: 0..<count + 2_000, using: &random) }
        let step = Int.random(in: 2...7, using: &random)
        return [
            write(all[2_000..<6_000]), write(all[2_000..<6_000].reversed()),
            write(all[..<5_000].shuffled(using: &random)),
            write(some), write(stride(from: 0, to: count, by: step).prefix(4_000)),
            write(all[4_090..<4_100] + all[12_000..<12_700] + all[4_090..<4_100]),
            write(all[20_900...] + [count + 9_000]),
            write(all[3_000..<4_500] + [count + Int.random(in: 3_000..<9_000, using: &random)] + all[4_500..<5_500]),
            write(all[8_000..<8_300], revision: Int64.random(in: 0...3, using: &random)),
            write(some.prefix(500), revision: Int64.random(in: 0...3, using: &random)),
        ]
    }

    @Test(arguments: 0..<Seeds.count(few: 1, some: 3, many: 30))
    func haveTheOutcomesOfASimpleStore(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let path = TemporaryFolder.untilExit() + "/received.db"
        let model = InMemoryReceivedDataStore()
        var store = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
        for first in stride(from: 0, to: Self.count, by: 3_000) {
            _ = try await model.store(Self.write(first..<first + 3_000))
            _ = try await store.store(Self.write(first..<first + 3_000))
        }
        for round in 0..<3 {
            for request in Self.requests(&random).shuffled(using: &random) {
                #expect(try await store.store(request) == model.store(request), "round \(round)")
            }
            if round == 1 {
                await store.close()
                store = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
            }
        }
        let always = InstantRange(start: Instant(milliseconds: 0), end: Instant(milliseconds: 1 << 50))
        #expect(
            try await store.digest(of: "steps", in: always, user: .local)
                == model.digest(of: "steps", in: always, user: .local))
        await store.close()
        let (status, output) = try await Peer.run("servers/received_pages.py", [path, "check"])
        try ContractViolation.unlessEqual(status, 0, output)
    }
}

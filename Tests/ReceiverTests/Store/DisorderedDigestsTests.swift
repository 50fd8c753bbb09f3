import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Digests of samples that arrived in random order, so many that the server keeps them in memory by cell.
@Suite("Digests of samples in random order", .timeLimit(.minutes(20)))
struct DisorderedDigestsTests {
    private let path = TemporaryFolder.untilExit() + "/received.db"
    private static let count = 75_000
    private static let origin = ReceivedOrigin(bundleID: "b", deviceName: nil, unit: "count")

    private static func sample(_ number: Int) -> ReceivedSample {
        let start = ReceivingSamples.now.advanced(bySeconds: Int64(number) * 600)
        return ReceivedSample(
            id: ReceivingSamples.id(number), start: start, end: start.advanced(bySeconds: 60),
            value: Double(number % 97))
    }

    private static func write(_ samples: [ReceivedSample]) -> ReceivedWrite {
        ReceivedWrite(
            user: .local, receivedAt: ReceivingSamples.now,
            content: .samples(type: "steps", ReceivedSampleBatch(origins: [origin], samples: samples)))
    }

    private static func intervals(_ count: Int, _ random: inout SeededRandom) -> [InstantRange] {
        (0..<count).map { _ in
            let start = ReceivingSamples.now.advanced(
                bySeconds: Int64.random(in: -100_000...Int64(Self.count) * 600, using: &random))
            return InstantRange(
                start: start, end: start.advanced(bySeconds: 1 << Int64.random(in: 8...18, using: &random)))
        }
    }

    /// The stored samples, by number.
    private struct Model {
        var samples: [Int: ReceivedSample] = [:]

        mutating func put(_ samples: [ReceivedSample], _ numbers: [Int]) {
            for (number, sample) in zip(numbers, samples) { self.samples[number] = sample }
        }

        func digest(in interval: InstantRange) -> SampleSetDigest {
            let first = Int((interval.start.milliseconds - ReceivingSamples.now.milliseconds) / 600_000) - 1
            let last = Int((interval.end.milliseconds - ReceivingSamples.now.milliseconds) / 600_000) + 1
            var digest = SampleSetDigest()
            for number in first...last {
                guard let sample = samples[number], !sample.isDeleted, sample.start >= interval.start,
                    sample.start < interval.end
                else { continue }
                digest.insert(
                    sample.id, start: sample.start.milliseconds, end: sample.end.milliseconds, value: sample.value)
            }
            return digest
        }
    }

    private func compare(_ store: SQLiteReceivedDataStore, _ model: Model, _ random: inout SeededRandom) async throws {
        for count in [1, 40] {
            let intervals = Self.intervals(count, &random)
            #expect(
                try await store.digests(of: "steps", in: intervals, user: .local)
                    == intervals.map { model.digest(in: $0) })
        }
    }

    @Test func followEveryChange() async throws {
        var random = SeededRandom(seed: 7)
        var model = Model()
        let store = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
        let numbers = (0..<Self.count).shuffled(using: &random)
        for first in stride(from: 0, to: Self.count, by: 3_000) {
            let part = Array(numbers[first..<first + 3_000])
            _ = try await store.store(Self.write(part.map { Self.sample($0) }))
            model.put(part.map { Self.sample($0) }, part)
        }
        for round in 1...8 {
            try await compare(store, model, &random)
            // New revisions, deletions, and new samples, of which some are on pages that are merged later.
            var changed = (0..<(Bool.random(using: &random) ? 1 : 300)).map { _ in
                Int.random(in: 0..<Self.count + 100 * round, using: &random)
            }
            changed = Array(Set(changed))
            let samples = changed.map { number in
                var sample = Self.sample(number)
                sample.revision = Int64(round)
                sample.value += 1
                return number % 5 == 0 ? .tombstone(sample.id, revision: Int64(round)) : sample
            }
            _ = try await store.store(Self.write(samples))
            model.put(samples, changed)
        }
        #expect(try await store.removeAllSamples(of: "steps", user: .local) > 0)
        model.samples = [:]
        try await compare(store, model, &random)
        _ = try await store.store(Self.write([Self.sample(5)]))
        model.put([Self.sample(5)], [5])
        try await compare(store, model, &random)
        await store.close()
    }

    /// A digest is never one of a state before a change that was acknowledged.
    @Test func areCurrentWhileSamplesAreReplaced() async throws {
        var random = SeededRandom(seed: 3)
        let store = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
        let numbers = (0..<Self.count).shuffled(using: &random)
        for first in stride(from: 0, to: Self.count, by: 5_000) {
            _ = try await store.store(Self.write(numbers[first..<first + 5_000].map { Self.sample($0) }))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<4 {
                group.addTask {
                    for round in 1...12 {
                        var sample = Self.sample(client * 10_000)
                        sample.revision = Int64(round)
                        sample.value = Double(round)
                        _ = try await store.store(Self.write([sample]))
                        let own = InstantRange(start: sample.start, end: sample.start.advanced(bySeconds: 1))
                        var expected = SampleSetDigest()
                        expected.insert(
                            sample.id, start: sample.start.milliseconds, end: sample.end.milliseconds,
                            value: sample.value)
                        #expect(try await store.digest(of: "steps", in: own, user: .local) == expected)
                    }
                }
            }
            try await group.waitForAll()
        }
        await store.close()
    }
}

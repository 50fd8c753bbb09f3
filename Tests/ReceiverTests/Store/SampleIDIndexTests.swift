import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// The ids of stored samples are known in memory and after a restart.
@Suite struct SampleIDIndexTests {
    @Test func aSampleIsStoredOnceAlsoAfterARestart() async throws {
        let path = TemporaryFolder.untilExit() + "/received.db"
        let count = 70_000
        let store = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
        for first in stride(from: 0, to: count, by: 7_000) {
            let outcomes = try await store.store(write(first..<first + 7_000))
            #expect(outcomes.allSatisfy { $0 == .created })
        }
        #expect(try await store.store(write(0..<7_000)).allSatisfy { $0 == .duplicate })
        #expect(try await store.store(write(69_000..<70_001)).filter { $0 == .created }.count == 1)
        await store.close()
        let again = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
        #expect(try await again.store(write(60_000..<70_001)).allSatisfy { $0 == .duplicate })
        #expect(try await again.sampleCount(SampleQuery(user: .local, type: "steps")) == count + 1)
        #expect(try await again.removeAllSamples(of: "steps", user: .local) == count + 1)
        #expect(try await again.store(write(0..<10)).allSatisfy { $0 == .created })
        await again.close()
    }

    @Test func samplesOfARejectedRequestAreNotKnown() async throws {
        let store = try await SQLiteReceivedDataStore.open(
            at: TemporaryFolder.untilExit() + "/received.db", time: ManualTime())
        var first = write(0..<2)
        first.key = BatchKey(key: "k", content: ContentDigest(high: 1, low: 1))
        _ = try await store.store(first)
        var other = write(2..<4)
        other.key = BatchKey(key: "k", content: ContentDigest(high: 1, low: 2))
        let rejected = other
        await #expect(throws: SyncFailure.self) { try await store.store(rejected) }
        let outcomes = try await store.store(write(0..<4))
        #expect(outcomes == [.duplicate, .duplicate, .created, .created])
        await store.close()
    }

    private func write(_ numbers: Range<Int>) -> ReceivedWrite {
        let samples = numbers.map { number in
            let start = ReceivingSamples.now.advanced(bySeconds: Int64(number) * 60)
            return ReceivedSample(id: ReceivingSamples.id(number), start: start, end: start, value: 1)
        }
        let origin = ReceivedOrigin(bundleID: "b", deviceName: nil, unit: "count")
        return ReceivedWrite(
            user: .local, receivedAt: ReceivingSamples.now,
            content: .samples(type: "steps", ReceivedSampleBatch(origins: [origin], samples: samples)))
    }
}

import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Concurrent requests for a digest include everything that was acknowledged before them.
@Suite struct DigestsWhileWritingTests {
    private static let always = InstantRange(
        start: Instant(milliseconds: 0), end: Instant(milliseconds: 4_000_000_000_000))

    @Test func aDigestIncludesEverythingStoredBeforeTheQuery() async throws {
        let store = try await SQLiteReceivedDataStore.open(
            at: TemporaryFolder.untilExit() + "/received.db", time: ManualTime())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<12 {
                group.addTask {
                    for number in 0..<25 {
                        let first = client * 100 + number * 2
                        let own = SQLiteReceivedStoreTests.write(first..<first + 2)
                        _ = try await store.store(own)
                        let digest = try await store.digest(of: "steps", in: Self.always, user: .local)
                        #expect(digest.count >= (number + 1) * 2)
                        let again = try await store.digest(of: "steps", in: Self.always, user: .local)
                        #expect(again.count >= digest.count, "a later digest includes an earlier one")
                    }
                }
            }
            try await group.waitForAll()
        }
        var expected = SampleSetDigest()
        let samples = ReceivingSamples.steps(1_200)
        for client in 0..<12 {
            for sample in samples[client * 100..<client * 100 + 50] {
                expected.insert(
                    sample.id, start: sample.start.milliseconds, end: sample.end.milliseconds, value: sample.value)
            }
        }
        #expect(try await store.digest(of: "steps", in: Self.always, user: .local) == expected)
        await store.close()
    }

    @Test func usersTypesAndIntervalsAreSeparateQueries() async throws {
        let store = try await SQLiteReceivedDataStore.open(
            at: TemporaryFolder.untilExit() + "/received.db", time: ManualTime())
        _ = try await store.store(SQLiteReceivedStoreTests.write(0..<100))
        let anna = try #require(UserName("anna"))
        let start = ReceivingSamples.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for minutes in 1...60 {
                let part = InstantRange(start: start, end: start.advanced(bySeconds: Int64(minutes) * 60))
                group.addTask {
                    let own = try await store.digest(of: "steps", in: part, user: .local)
                    let others = try await store.digest(of: "steps", in: part, user: anna)
                    let rates = try await store.digest(of: "heartRate", in: part, user: .local)
                    #expect([own.count, others.count, rates.count] == [minutes, 0, 0])
                }
            }
            try await group.waitForAll()
        }
        await store.close()
    }
}

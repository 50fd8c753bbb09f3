import HealthSyncDomain
import HealthSyncPostgres
import HealthSyncTestKit
import Testing

/// Unusual values that other databases store must not be lost or rejected.
@Suite(.enabled(if: TestServer.isInstalled, "no PostgreSQL server is installed"))
struct OddValueTests {
    @Test func everyNameComesBackAsSent() async throws {
        let (_, stores) = try await Writes.stores(2)
        let long = String(repeating: "ü", count: 500)
        let names = ["", "a\0b", "\u{FFFF}", "\u{FFFF}0\0", "e\u{301}", "\u{E9}", "'; DROP TABLE users; --", long]
        var origins = names.map { ReceivedOrigin(bundleID: $0, deviceName: $0, unit: $0) }
        origins += [
            ReceivedOrigin(bundleID: "a", deviceName: nil, unit: ""),
            ReceivedOrigin(bundleID: "a", deviceName: "", unit: ""),
            ReceivedOrigin(bundleID: "a", deviceName: nil, unit: "km"),
        ]
        var samples = origins.indices.map { Writes.sample($0) }
        for index in origins.indices { samples[index].origin = index }
        _ = try await stores[0].store(Writes.steps(samples, origins: origins))
        // Again, from a process that has not seen them yet.
        for index in origins.indices { samples[index].revision = 1 }
        let outcomes = try await stores[1].store(Writes.steps(samples, origins: origins))
        #expect(outcomes.allSatisfy { $0 == .updated })
        let page = try await stores[1].samples(SampleQuery(user: .local, type: "steps"))
        #expect(page.batch.samples.count == origins.count)
        for (index, sample) in page.batch.samples.enumerated() {
            let origin = page.batch.origin(of: sample)
            // By code points: canonically equivalent strings are equal in Swift.
            #expect(origin.map { Array($0.bundleID.utf8) } == Array(origins[index].bundleID.utf8))
            #expect((origin?.deviceName).map { Array($0.utf8) } == origins[index].deviceName.map { Array($0.utf8) })
            #expect(origin.map { Array($0.unit.utf8) } == Array(origins[index].unit.utf8))
        }
        for store in stores { await store.close() }
    }

    /// More origins than a session caches, followed by a cached one together with a new one.
    @Test func moreOriginsThanTheCacheHolds() async throws {
        let (database, stores) = try await Writes.stores(1)
        let many = (0..<100_001).map { ReceivedOrigin(bundleID: "app \($0)", deviceName: nil, unit: "count") }
        _ = try await stores[0].store(Writes.steps([Writes.sample(0)], origins: many))
        let new = ReceivedOrigin(bundleID: "another", deviceName: nil, unit: "count")
        var samples = [Writes.sample(1), Writes.sample(2)]
        samples[1].origin = 1
        let outcomes = try await stores[0].store(Writes.steps(samples, origins: [many[5], new]))
        #expect(outcomes == [.created, .created])
        let found = try await TestServer.shared.value.samples(in: database)
        #expect(found.map { $0[7] } == ["app 0", "app 5", "another"])
        await stores[0].close()
    }

    @Test func theEndsOfTimeAndOfNumbersAreKept() async throws {
        let (_, stores) = try await Writes.stores(1)
        var samples = (0..<4).map { Writes.sample($0) }
        samples[0].value = .leastNonzeroMagnitude
        samples[1].value = -Double.greatestFiniteMagnitude
        samples[2].revision = .max
        samples[3].start = Instant(milliseconds: -9_007_199_254_740_993)
        _ = try await stores[0].store(Writes.steps(samples))
        let page = try await stores[0].samples(SampleQuery(user: .local, type: "steps"))
        #expect(page.batch.samples == samples)
        await stores[0].close()
    }
}

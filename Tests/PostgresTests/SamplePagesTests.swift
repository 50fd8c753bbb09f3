import Foundation
import HealthSyncDomain
import HealthSyncPostgres
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite(.enabled(if: TestServer.isInstalled, "no PostgreSQL server is installed"))
struct SamplePagesTests {
    /// Three stores take turns, so each must notice what the others wrote, merged, revised and removed.
    @Test(arguments: 1...4) func severalServersBehaveLikeOne(seed: Int) async throws {
        var (database, stores) = try await Writes.stores(3)
        let address = try await TestServer.shared.value.address(database)
        var comparison = ModelComparison(seed: seed)
        for round in 0..<150 {
            let index = Int.random(in: 0..<3, using: &comparison.random)
            if Int.random(in: 0..<30, using: &comparison.random) == 0 {
                await stores[index].close()
                stores[index] = try await PostgresReceivedDataStore.open(at: address)
            }
            try await comparison.step(stores[index])
            if round % 30 == 29 { try await comparison.compare(stores[(index + 1) % 3]) }
        }
        _ = try await TestServer.shared.value.samples(in: database)
        for store in stores { await store.close() }
    }

    @Test func smallRequestsLeaveFewPages() async throws {
        let (database, stores) = try await Writes.stores(2)
        for number in 0..<700 { _ = try await stores[number % 2].store(Writes.steps([Writes.sample(number)])) }
        let sizes = try await sizes(in: database)
        #expect(sizes.reduce(0, +) == 700)
        #expect(sizes.count <= 28)
        let stored = try await TestServer.shared.value.samples(in: database)
        #expect(stored.map { $0[3] } == (0..<700).map { "\(ReceivingSamples.id($0))"[...] })
        for store in stores { await store.close() }
    }

    @Test func aLargeRequestIsDividedIntoPages() async throws {
        let (database, stores) = try await Writes.stores(1)
        _ = try await stores[0].store(Writes.steps((0..<9_000).map { Writes.sample($0) }))
        #expect(try await sizes(in: database) == [4_096, 4_096, 808])
        #expect(try await TestServer.shared.value.samples(in: database).count == 9_000)
        await stores[0].close()
    }

    /// The stored ids distinguish ids with the same fingerprint.
    @Test func equalFingerprintsAreDifferentSamples() async throws {
        let (database, stores) = try await Writes.stores(2)
        var samples = (0..<40).map { Writes.sample($0) }
        for number in samples.indices {
            samples[number].id = SampleFingerprint.id(high: UInt64(number), middle: 7, fingerprint: 42)
        }
        #expect(try await stores[0].store(Writes.steps(Array(samples[..<30]))).allSatisfy { $0 == .created })
        let outcomes = try await stores[1].store(Writes.steps(samples.reversed()))
        #expect(
            outcomes == [StoreOutcome](repeating: .created, count: 10)
                + [StoreOutcome](repeating: .duplicate, count: 30))
        #expect(Set(try await TestServer.shared.value.samples(in: database).map { $0[3] }).count == 40)
        for store in stores { await store.close() }
    }

    /// A server notices that the database contains less and other samples than those it wrote.
    @Test func aDatabaseRestoredUnderARunningServerIsReadAgain() async throws {
        let server = try await TestServer.shared.value
        let (database, stores) = try await Writes.stores(2)
        let samples = (0..<20).map { Writes.sample($0) }
        _ = try await stores[0].store(Writes.steps(Array(samples[..<10])))
        let address = "host=\(server.folder) user=healthsync dbname=\(database)"
        let file = TemporaryFolder.untilExit() + "/dump.sql"
        let dump = Command(["pg_dump", "--file", file, address])
        _ = try await BlockingThread.run { try dump.output() }
        _ = try await stores[0].store(Writes.steps(Array(samples[10..<15])))
        _ = try await server.sql("DROP SCHEMA healthsync CASCADE", in: database)
        let restore = Command(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", file, address])
        _ = try await BlockingThread.run { try restore.output() }
        _ = try await stores[1].store(Writes.steps(Array(samples[15...])))
        let outcomes = try await stores[0].store(Writes.steps(samples))
        #expect(outcomes.map { $0 == .created } == samples.indices.map { (10..<15).contains($0) })
        #expect(try await server.samples(in: database).count == 20)
        for store in stores { await store.close() }
    }

    private func sizes(in database: String) async throws -> [Int] {
        let server = try await TestServer.shared.value
        let lines = try await Peer.lines(
            of: "servers/postgres_pages.py", ["host=\(server.folder) user=healthsync dbname=\(database)", "sizes"])
        return lines.compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }
    }
}

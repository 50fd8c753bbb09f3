import HealthSyncDomain
import HealthSyncPorts
import HealthSyncPostgres
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Samples that an earlier version stored as rows are packed into pages while servers use them.
@Suite(.enabled(if: TestServer.isInstalled, "no PostgreSQL server is installed"))
struct RowPackingTests {
    @Test func everyRowIsPackedAtItsPosition() async throws {
        let server = try await TestServer.shared.value
        let (database, before) = try await oldDatabase()
        let stores = try await openAll(3, on: database) { $0.rowsAtOnce = 100 }
        for store in stores { await store.waitUntilPacked() }
        #expect(try await server.samples(in: database) == before)
        let tables = try await server.sql("SELECT to_regclass('healthsync.sample_rows') IS NULL", in: database)
        #expect(tables == "t")
        for store in stores { await store.close() }
    }

    /// Before, between and after batches, the store behaves like a model that contains the same samples.
    @Test(arguments: 1...3) func requestsAreServedWhileRowsArePacked(seed: Int) async throws {
        let server = try await TestServer.shared.value
        let (database, before) = try await oldDatabase()
        let stores = try await openAll(2, on: database) {
            $0.rowsAtOnce = 170
            $0.packsInBackground = false
        }
        var comparison = ModelComparison(seed: seed)
        comparison.ids = 100
        try await fill(comparison.model, with: before)
        var isLeft = true
        while isLeft {
            for number in 0..<12 {
                try await comparison.step(stores[number % 2])
                try await revise(before, in: stores[number % 2], comparison.model, &comparison.random)
            }
            try await comparison.compare(stores[0])
            isLeft = try await stores[1].packNextRows()
        }
        try await comparison.compare(stores[1])
        _ = try await server.samples(in: database)
        for store in stores { await store.close() }
    }

    @Test func packingContinuesAfterAnInterruption() async throws {
        let server = try await TestServer.shared.value
        let (database, before) = try await oldDatabase()
        let first = try await openAll(1, on: database) {
            $0.rowsAtOnce = 300
            $0.packsInBackground = false
        }
        #expect(try await first[0].packNextRows())
        #expect(try await server.samples(in: database) == before)
        await first[0].close()
        let second = try await openAll(1, on: database) { _ in }
        await second[0].waitUntilPacked()
        #expect(try await server.samples(in: database) == before)
        await second[0].close()
    }

    /// A server of the earlier version that still runs fails instead of storing rows that nobody reads.
    @Test func statementsOfTheEarlierVersionFail() async throws {
        let server = try await TestServer.shared.value
        let (database, _) = try await oldDatabase()
        let stores = try await openAll(1, on: database) { $0.packsInBackground = false }
        for statement in [
            "SELECT last_position FROM healthsync.positions", "INSERT INTO healthsync.samples DEFAULT VALUES",
        ] {
            await #expect(throws: (any Error).self) { try await server.sql(statement, in: database) }
        }
        await stores[0].close()
    }

    private func oldDatabase() async throws -> (name: String, samples: [[Substring]]) {
        let server = try await TestServer.shared.value
        let database = try await server.newDatabase()
        _ = try await server.sql(ProjectFile.text("Tests/Support/Peers/servers/postgres_rows.sql"), in: database)
        let samples = try await server.samples(in: database)
        #expect(samples.count > 1_100)
        return (database, samples)
    }

    private func openAll(
        _ count: Int, on database: String, _ change: (inout PostgresStoreOptions) -> Void
    ) async throws -> [PostgresReceivedDataStore] {
        let address = try await TestServer.shared.value.address(database)
        var options = PostgresStoreOptions()
        change(&options)
        var stores: [PostgresReceivedDataStore] = []
        for _ in 0..<count { stores.append(try await PostgresReceivedDataStore.open(at: address, options: options)) }
        return stores
    }

    /// Stores the printed samples in the model.
    private func fill(_ model: InMemoryReceivedDataStore, with lines: [[Substring]]) async throws {
        for line in lines {
            guard let user = UserName(String(line[1])) else { continue }
            let device = line[8] == "None" ? nil : String(line[8])
            let origin = ReceivedOrigin(
                bundleID: String(line[7]), deviceName: device,
                unit: line[7] == "app" && user == .local ? "count/min" : "count")
            let batch = ReceivedSampleBatch(
                origins: line[7] == "None" ? [] : [origin], samples: [try #require(sample(line))])
            let write = ReceivedWrite(
                user: user, receivedAt: ReceivingSamples.now, content: .samples(type: String(line[2]), batch))
            #expect(try await model.store(write) == [.created])
        }
    }

    private func sample(_ line: [Substring]) -> ReceivedSample? {
        guard let id = SampleID(line[3]), let start = Int64(line[4]), let end = Int64(line[5]),
            let value = Double(line[6]), let revision = Int64(line[9])
        else { return nil }
        return ReceivedSample(
            id: id, start: Instant(milliseconds: start), end: Instant(milliseconds: end), value: value,
            revision: revision, isDeleted: line[10] == "True", isUppercase: line[11] == "True")
    }

    /// Sends other revisions of, and deletes, samples that were stored as rows.
    private func revise(
        _ lines: [[Substring]], in store: PostgresReceivedDataStore, _ model: InMemoryReceivedDataStore,
        _ random: inout SeededRandom
    ) async throws {
        for _ in 0..<2 {
            guard let line = lines.randomElement(using: &random), var sample = sample(line),
                let user = UserName(String(line[1]))
            else { continue }
            sample.revision += Int64.random(in: 0...1, using: &random)
            sample.isDeleted = Bool.random(using: &random)
            if sample.isDeleted { sample = .tombstone(sample.id, revision: sample.revision) }
            let batch = ReceivedSampleBatch(origins: [Writes.origin], samples: [sample])
            let write = ReceivedWrite(
                user: user, receivedAt: ReceivingSamples.now, content: .samples(type: String(line[2]), batch))
            let outcomes = try await store.store(write)
            #expect(try await model.store(write) == outcomes)
        }
    }
}

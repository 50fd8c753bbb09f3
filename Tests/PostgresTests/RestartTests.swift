import HealthSyncDomain
import HealthSyncPostgres
import HealthSyncTestKit
import Testing

/// Tests with a private server that stops and restarts.
@Suite(.enabled(if: TestServer.isInstalled, "no PostgreSQL server is installed"), .serialized)
struct RestartTests {
    @Test func anIdleStoreContinuesAfterARestart() async throws {
        let server = try await TestServer()
        let store = try await PostgresReceivedDataStore.open(at: server.address(server.newDatabase()))
        #expect(try await store.store(Writes.steps([Writes.sample(1)])) == [.created])
        try await server.tell("restart")
        #expect(try await store.store(Writes.steps([Writes.sample(1), Writes.sample(2)])) == [.duplicate, .created])
        #expect(try await store.sampleCount(SampleQuery(user: .local, type: "steps")) == 2)
        try await server.tell("stop")
        let failure = await #expect(throws: SyncFailure.self) {
            try await store.store(Writes.steps([Writes.sample(3)]))
        }
        #expect(failure?.code == .storage)
        try await server.tell("start")
        #expect(try await store.store(Writes.steps([Writes.sample(3)])) == [.created])
        await store.close()
    }

    @Test func acknowledgedDataSurvivesCrashesUnderLoad() async throws {
        let server = try await TestServer()
        let database = try await server.newDatabase()
        let store = try await PostgresReceivedDataStore.open(at: server.address(database))
        let (acknowledgements, acknowledged) = AsyncStream.makeStream(of: [Int].self)
        let load = Task {
            await withTaskGroup(of: Void.self) { group in
                for writer in 0..<6 {
                    group.addTask {
                        var number = writer * 1_000_000
                        while !Task.isCancelled {
                            let numbers = Array(number..<number + 5)
                            let write = Writes.steps(numbers.map { Writes.sample($0) })
                            // A client repeats the request until it is answered.
                            guard (try? await store.store(write)) != nil else { continue }
                            acknowledged.yield(numbers)
                            number += 5
                        }
                    }
                }
            }
            acknowledged.finish()
        }
        var sent: Set<Int> = []
        var nextCrash = 500
        for await numbers in acknowledgements {
            sent.formUnion(numbers)
            guard sent.count >= nextCrash else { continue }
            nextCrash = nextCrash < 1_500 ? nextCrash + 500 : .max
            try await server.tell(nextCrash == .max ? "restart" : "crash")
            if nextCrash == .max { load.cancel() }
        }
        await load.value
        let rows = try await server.samples(in: database)
        let stored = Set(rows.compactMap { SampleID($0[3]) })
        #expect(stored.count == rows.count)
        #expect(sent.count >= 1_500)
        #expect(sent.allSatisfy { stored.contains(ReceivingSamples.id($0)) })
        await store.close()
    }

    @Test func commitsAreDurableWhateverTheDatabaseSettings() async throws {
        let server = try await TestServer()
        let database = try await server.newDatabase()
        _ = try await server.sql("ALTER DATABASE \(database) SET synchronous_commit = off", in: "postgres")
        // So that no other process flushes the log meanwhile.
        _ = try await server.sql("ALTER SYSTEM SET wal_writer_delay = '10s'", in: "postgres")
        try await server.tell("restart")
        let store = try await PostgresReceivedDataStore.open(at: server.address(database))
        for number in 0..<20 {
            _ = try await store.store(Writes.steps([Writes.sample(number)]))
        }
        try await server.tell("crash")
        #expect(try await server.samples(in: database).count == 20)
        await store.close()
    }

    @Test func aServerWithoutDurableCommitsIsRejected() async throws {
        let server = try await TestServer()
        let address = try await server.address(server.newDatabase())
        _ = try await server.sql("ALTER SYSTEM SET fsync = off", in: "postgres")
        try await server.tell("restart")
        let failure = await #expect(throws: SyncFailure.self) { try await PostgresReceivedDataStore.open(at: address) }
        #expect(failure?.advice.contains("fsync") == true)
    }
}

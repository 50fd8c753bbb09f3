import HealthSyncCommands
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncTestKit
import Testing

@Suite("Runs of programs that embed the library")
struct EmbeddedStoreTests {
    @Test("The report of one run contains the notice of an upgrade")
    func notice() async throws {
        let world = StoredWorld()
        _ = await world.run("historical --source list")
        let former = FormerDelivery(lastDay: CalendarDay(utcDayOf: Instant(seconds: 0)), metrics: [.steps])
        world.stores.upgrade("https://example.org", from: former)
        let run = EmbeddedStore(
            environment: world.harness.environment([]), settings: try world.harness.settings("daily"))
        let first = try await run.run(.daily(), sources: [], options: Sync.Options())
        #expect(first.notice?.hasPrefix("every quantity in the data is a metric now") == true)
        #expect(try await run.run(.daily(), sources: [], options: Sync.Options()).notice == nil)
        #expect(await !world.run("status").output.contains("every quantity"))
    }

    private func store(_ world: StoredWorld) throws -> EmbeddedStore {
        EmbeddedStore(
            environment: world.harness.environment([]),
            settings: try world.harness.settings("push --server https://example.org"))
    }

    @Test("A verification counts what differs, and stores its verdict")
    func verification() async throws {
        let world = StoredWorld(samples: InMemorySampleServer(), records: InMemoryRecordServer())
        _ = await world.run("historical --source list")
        let report = try await store(world).verify()
        #expect(!report.isEqual && report.differing > 3 && report.records != nil)
        #expect(await world.run("status --server https://example.org").output.contains("differences"))
    }

    @Test("A server without digests of records is not equal, and the verdict says so")
    func recordless() async throws {
        let world = StoredWorld(samples: InMemorySampleServer())
        _ = await world.run("historical --source list")
        let failure = await #expect(throws: SyncFailure.self) { try await store(world).verify() }
        #expect(failure?.code == .unverifiable && failure?.reason == "it provides no digests of derived records")
    }

    @Test("Reading opens no server, so that it makes no id of the user")
    func reading() async throws {
        let world = StoredWorld()
        _ = await world.run("historical --source list")
        let hasServer = try await store(world).read { engine, _ in
            try await engine.push.run(deadlineSeconds: 0) != nil
        }
        #expect(!hasServer)
    }
}

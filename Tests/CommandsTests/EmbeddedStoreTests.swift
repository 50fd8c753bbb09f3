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
}

import HealthSyncCommands
import HealthSyncDomain
import HealthSyncTestKit
import Testing

@Suite("--verbose")
struct VerboseTests {
    @Test("Details include the settings, the sources, the derivation and the requests")
    func details() async {
        var world = StoredWorld()
        let log = CollectedEvents()
        world.harness.log = log
        let run = "historical --source list --server https://example.org --verbose"
        _ = await world.run(run)
        let first = log.events
        for detail in [
            "data folder: /home/anna/.local/share/healthsync", "server: https://example.org",
            "time zone: Europe/Paris (not configured)", "source /work/list (list): read, it is new",
            "steps: 5 of 5 days follow from what changed", "status 200 in 0 ms",
        ] {
            #expect(first.contains { $0.contains(detail) }, "\(detail): \(first)")
        }
        _ = await world.run(run)
        let second = log.events.dropFirst(first.count)
        #expect(second.contains("source /work/list (list): not read, it is unchanged"))
        #expect(second.contains("steps: nothing changed"))
        // The log contains no health values.
        #expect(!log.events.contains { $0.contains("1250") || $0.contains("1,250") })
    }
}

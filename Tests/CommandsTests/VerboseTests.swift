import HealthSyncCommands
import HealthSyncDomain
import HealthSyncTestKit
import Testing

@Suite("--verbose")
struct VerboseTests {
    @Test("Details say what was chosen, which sources are read and why, what is derived and what was sent")
    func details() async {
        var world = StoredWorld()
        let log = CollectedEvents()
        world.harness.log = log
        let run = "historical --source list --server https://example.org --verbose"
        _ = await world.run(run)
        let first = log.events
        for detail in [
            "data folder: /home/anna/.local/share/healthsync", "server: https://example.org",
            "days by Europe/Paris, which nobody named", "source /work/list (list): read, it is new",
            "steps: 5 of 5 days follow from what changed", "status 200 in 0 ms",
        ] {
            #expect(first.contains { $0.contains(detail) }, "\(detail): \(first)")
        }
        _ = await world.run(run)
        let second = log.events.dropFirst(first.count)
        #expect(second.contains("source /work/list (list): not read, it is unchanged"))
        #expect(second.contains("steps: nothing changed"))
        // No health value is among them.
        #expect(!log.events.contains { $0.contains("1250") || $0.contains("1,250") })
    }
}

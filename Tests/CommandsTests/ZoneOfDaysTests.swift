import HealthSyncCommands
import HealthSyncDomain
import HealthSyncTestKit
import Testing

/// The source has steps at 2024-01-14 08:00 and 09:00 and 2024-01-15 08:00 UTC. In Honolulu (UTC-10) the first two are on
/// January 13.
@Suite("The time zone of days")
struct ZoneOfDaysTests {
    private func derived(_ options: String = "--zone Europe/Paris") async -> StoredWorld {
        let world = StoredWorld()
        _ = await world.run("historical --source list \(options)")
        return world
    }

    @Test(
        "A view with another --zone shows days in their stored zone and how to recompute them",
        arguments: ["steps 2024-01-14", "sleep", "heart", "summary", "journal 2024-01-14", "shoes list", "status"])
    func views(command: String) async {
        let world = await derived()
        let own = await world.run("\(command) --zone Europe/Paris --json")
        #expect(own.errors == [])
        let other = await world.run("\(command) --zone Pacific/Honolulu --json")
        #expect(other.output == own.output)
        #expect(other.errors == [])
        #expect(
            await world.run("\(command) --zone Pacific/Honolulu").errors == [
                "healthsync: days are shown in Europe/Paris, in which they were derived, not in Pacific/Honolulu; "
                    + "run `healthsync historical --zone Pacific/Honolulu --save` to recompute them"
            ])
        #expect(await world.run("\(command) --zone Pacific/Honolulu --quiet").errors == [])
    }

    @Test("A different system zone affects neither views nor runs; runs warn of it, views do not")
    func systemZone() async {
        var world = await derived()
        world.harness.time = FixedTime(zone: "Pacific/Honolulu")
        let steps = await world.run("steps 2024-01-14 --json")
        #expect(steps.output.contains("\"zone\": \"Europe/Paris\""))
        #expect(steps.errors == [])
        #expect(await world.run("steps 2024-01-14").errors == [])
        let failed = await world.run("steps 2024-13-14 --json")
        #expect(failed.errors.count == 1 && failed.errors[0].hasPrefix("{"))
        #expect(await world.run("daily --source list --json").errors == [])
        let daily = await world.run("daily --source list")
        #expect(daily.status == .done)
        #expect(daily.output.contains("(Europe/Paris)"))
        #expect(daily.output.contains("steps      nothing new"))
        #expect(daily.errors.count == 1)
        #expect(daily.errors.first?.contains("not in this computer's time zone Pacific/Honolulu") == true)
    }

    @Test("Aliases of a zone are the same zone")
    func alias() async {
        let world = await derived("--zone UTC")
        #expect(await world.run("steps 2024-01-14 --zone Etc/UTC").errors == [])
        #expect(await world.run("historical --from 2024-01-15 --zone Etc/UTC").status == .done)
    }

    @Test("Another zone is rejected for a run over some days, and recomputes all days in a run over all")
    func runs() async {
        let world = await derived()
        let before = await world.run("steps --from 2024-01-10 --to 2024-01-16 --json")
        for command in ["daily --days 0", "historical --from 2024-01-15"] {
            let rejected = await world.run("\(command) --zone Pacific/Honolulu --source list")
            #expect(rejected.status == .configuration)
            #expect(
                rejected.errors == [
                    "healthsync: zone: the stored days are counted by Europe/Paris, not by Pacific/Honolulu; keep them as "
                        + "they are with `healthsync historical --zone Europe/Paris --save`, or recompute all days with "
                        + "`healthsync historical --zone Pacific/Honolulu --save`"
                ])
        }
        #expect(await world.run("steps --from 2024-01-10 --to 2024-01-16 --json").output == before.output)
        #expect(await world.run("historical --zone Pacific/Honolulu").status == .done)
        let steps = await world.run("steps 2024-01-13 --zone Pacific/Honolulu --json")
        #expect(steps.errors == [])
        #expect(steps.output.contains("\"totalSteps\": 1200"))
    }

    @Test("status warns while some metrics are in the old zone, until a run derives them")
    func someMetrics() async throws {
        let world = await derived()
        _ = await world.run("historical --zone Pacific/Honolulu --metrics steps")
        #expect(try await world.stores.tracking.storedDayZones()?.isWhole == false)
        #expect(await world.run("steps --zone Pacific/Honolulu").errors == [])
        let errors = await world.run("status --zone Pacific/Honolulu").errors
        #expect(errors.count == 1 && errors[0].contains("some days may still be in another time zone"))
        #expect(await world.run("historical --zone Pacific/Honolulu").errors == [])
        #expect(await world.run("status --zone Pacific/Honolulu").errors == [])
    }

    @Test("A metric that is no longer selected is recomputed in the new zone with the others")
    func formerMetric() async throws {
        let world = await derived("--zone Europe/Paris --metrics steps,sleep")
        var harness = world.harness
        harness.variables["HEALTHSYNC_METRICS"] = "sleep"
        #expect(await harness.run("historical --zone Pacific/Honolulu").status == .done)
        #expect(try await world.stores.tracking.storedDayZones()?.isWhole == true)
        let steps = await world.run("steps 2024-01-13 --zone Pacific/Honolulu --json")
        #expect(steps.output.contains("\"totalSteps\": 1200"))
    }

    @Test("The zone of days from a version that did not store it follows from their first instants")
    func unknown() async throws {
        let world = await derived()
        for zone in ["Europe/Paris", "Pacific/Honolulu"] {
            let fresh = StoredWorld()
            var commit = SyncCommit(metric: .steps)
            commit.progress = try await world.stores.tracking.progress(
                derivedBy: .steps, days: DayRange(try #require(CalendarDay("2024-01-14"))))
            try await fresh.stores.tracking.commit(commit)
            let outcome = await fresh.run("historical --source list --from 2024-01-15 --zone \(zone)")
            #expect(outcome.status == (zone == "Europe/Paris" ? .done : .configuration))
        }
    }

    @Test("A zone change within the days of a run may be added, an earlier one not")
    func stays() async {
        let world = await derived()
        let path = "/home/anna/.config/healthsync/config.json"
        for (stay, from, status) in [
            ("2024-01-15", "2024-01-14", ExitStatus.done), ("2024-01-10", "2024-01-15", .configuration),
        ] {
            let text = #"{"zone": "Europe/Paris", "timeZones": [{"from": "\#(stay)", "zone": "Asia/Tokyo"}]}"#
            var harness = world.harness
            harness.files = InMemoryFiles([
                path: text, "/home/anna/.local/share/healthsync/healthsync.sqlite": "",
            ])
            #expect(await harness.run("historical --from \(from) --source list").status == status, "\(stay)")
        }
    }

    @Test("Zones that differ only in the day of a stay have different names, and the advice applies the configured day")
    func dayOfStay() async {
        let world = await derived()
        let path = "/home/anna/.config/healthsync/config.json"
        func run(_ command: String, stay: String) async -> CommandHarness.Outcome {
            var harness = world.harness
            harness.files = InMemoryFiles([
                path: #"{"zone": "Europe/Paris", "timeZones": [{"from": "\#(stay)", "zone": "Asia/Tokyo"}]}"#,
                "/home/anna/.local/share/healthsync/healthsync.sqlite": "",
            ])
            return await harness.run(command)
        }
        #expect(await run("historical --source list", stay: "2024-01-15").status == .done)
        let shown = await run("steps", stay: "2024-01-10").errors
        let names = ["15", "10"].map { "Europe/Paris with 1 zone change (Asia/Tokyo from 2024-01-\($0))" }
        #expect(shown.count == 1)
        #expect(shown.first?.contains("in \(names[0]), in which they were derived, not in \(names[1]);") == true)
        let rejected = await run("historical --from 2024-01-15", stay: "2024-01-10")
        #expect(rejected.status == .configuration)
        #expect(rejected.errors.first?.contains("counted by \(names[0]), not by \(names[1])") == true)
        #expect(await run("historical --zone Europe/Paris --save", stay: "2024-01-10").status == .done)
        #expect(await run("steps", stay: "2024-01-10").errors == [])
    }

    @Test("doctor reports that --zone is not the zone of the stored days")
    func doctor() async {
        let world = await derived()
        let outcome = await world.run("doctor --zone Pacific/Honolulu --source list")
        #expect(outcome.output.contains("days are shown in Europe/Paris"))
    }
}

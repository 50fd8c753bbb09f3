import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import Synchronization
import Testing

@Suite("Commands on stores")
struct FlowTests {
    @Test("A run reports all records, metrics and the delivery; the next one has nothing to do")
    func historicalThenDaily() async {
        let world = StoredWorld(source: ListSource(location: "/work/list", rejected: ["not a number": 2]))
        let first = await world.run("historical --source list --server https://example.org")
        #expect(first.status == .done)
        #expect(first.errors.isEmpty)
        let summary = await world.run("summary")
        // After the paragraph about the age of the data.
        let latest = summary.output.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.isEmpty }.dropFirst().prefix { !$0.isEmpty }.map { "  \($0)\n" }.joined()
        #expect(latest.contains("steps"))
        #expect(
            first.output == """
                /work/list (list)
                  10 samples read = 8 stored + 0 already known + 2 rejected
                  exported 2024-01-15 12:00
                  rejected: 2 not a number
                2024-01-14 to 2024-01-15 (Europe/Paris)
                  heartRate  3 days derived, 1 record changed
                  sleep      5 days derived, 1 record changed
                  steps      5 days derived, 2 records changed
                  snapshots  2 days changed
                  stepCount: 1 interval of 1 to be sent
                https://example.org: 6 records delivered
                  3 samples sent in 1 interval: 3 created

                The latest figures (`healthsync summary` shows more):
                \(latest)
                """)
        #expect(
            await world.run("daily --source list").output == """
                /work/list (list)
                  unchanged since the last import
                2024-01-14 to 2024-01-15 (Europe/Paris)
                  heartRate  nothing new
                  sleep      nothing new
                  steps      nothing new
                  snapshots  nothing new

                """)
        #expect(world.opened.count.load(ordering: .relaxed) == 0)
    }

    @Test("historical covers only the days and metrics that it is given")
    func rangeOfDays() async {
        let outcome = await StoredWorld().run(
            "historical --source list --from 2024-01-14 --to 2024-01-14 --metrics steps")
        let sum = "8 samples read = 3 stored + 0 already known + 0 rejected + 5 of other types (--types all keeps them)"
        #expect(outcome.output.contains(sum))
        #expect(outcome.output.contains("2024-01-14 to 2024-01-14"))
        #expect(outcome.output.contains("steps      1 day derived, 1 record changed"))
        #expect(!outcome.output.contains("heartRate"))
    }

    @Test("A truncated source is imported up to its end, with status 65")
    func incomplete() async {
        let outcome = await StoredWorld(source: ListSource(location: "/work/list", incompleteAtByte: 4_711)).run(
            "daily --source list")
        #expect(outcome.status == .badInput)
        #expect(outcome.output.contains("8 samples read = 8 stored"))
        #expect(
            outcome.output.contains(
                "  incomplete: data are missing at byte 4,711; what was read is kept, export it again"))
        #expect(outcome.output.contains("at byte 4,711: the file ends within a record"))
    }

    @Test("Without sources and stored samples, a run fails", arguments: ["historical", "daily"])
    func nothing(command: String) async {
        let outcome = await StoredWorld().run(command)
        #expect(outcome.status == .noInput)
        #expect(
            outcome.errors == [
                "healthsync: --source: no source is configured and nothing is stored yet; name a file with --source or "
                    + "as \"sources\" in the configuration"
            ])
    }

    @Test("On days without samples a run succeeds without doing anything")
    func beyond() async {
        let world = StoredWorld()
        _ = await world.run("historical --source list")
        let outcome = await world.run("historical --from 2030-01-01")
        #expect(outcome.status == .done)
        #expect(outcome.output == "nothing to derive: no samples on these days\n")
    }

    @Test("The summary shows the latest value of each metric, or one day")
    func summary() async {
        let world = StoredWorld()
        #expect(await world.run("summary").output == "steps       none\nheart rate  none\nsleep       none\n")
        _ = await world.run("historical --source list")
        #expect(
            await world.run("summary").output == """
                Your data end on 15 Jan 2024, today

                steps       1,250                       2024-01-15
                heart rate  60 to 80/min                2024-01-15
                sleep       7 h 30 min, 94% efficiency  2024-01-15

                2024-01-09 to 2024-01-15, mean per day
                sums without today
                  steps   1,200
                  asleep  7 h 30 min

                """)
        let day = """
            2024-01-15
              steps       1,250
              asleep      7 h 30 min
              heart rate  60 to 80/min
              sleep       main 23:00 to 07:00, 7 h 30 min, 94% efficiency (Anna’s Apple Watch)

            """
        #expect(await world.run("summary 2024-01-15").output == day)
        #expect(await world.run("summary today").output == day)
        #expect(await world.run("summary yesterday").output == "2024-01-14\n  steps  1,200\n")
        #expect(await world.run("summary 2020-02-29").output == "2020-02-29\n  nothing recorded\n")
        #expect(await world.run("summary 2021-02-29").status == .usage)
    }

    @Test("On a terminal the summary contains a chart of the week and fits")
    func summaryOnTerminal() async throws {
        #expect(
            try await RecordedWeek().run("summary", width: 40).output == """
                Your data end on 15 Jan 2024, today

                steps          6,000
                               2024-01-15
                heart rate     60 to 100/min
                               2024-01-15
                sleep          7 h 0 min, 88% efficiency
                               2024-01-15
                resting hear…  54/min (54 to 54/min)
                               2024-01-14

                2024-01-09 to 2024-01-15, mean per day
                sums without today
                  steps   1,200      ·····▂█
                  asleep  7 h 0 min  ······█

                """)
    }

    @Test("The status shows what is stored and what waits")
    func status() async {
        let world = StoredWorld()
        _ = await world.run("historical --source list --server https://example.org --no-push")
        #expect(
            await world.run("status --server https://example.org").output == """
                database    /home/anna/.local/share/healthsync/healthsync.sqlite
                recorded    2024-01-14 to 2024-01-15
                freshness   Your data end on 15 Jan 2024, today
                metrics     heartRate, sleep, steps
                samples of  sleepAnalysis, heartRate, stepCount
                server      https://example.org
                outbox      7 waiting, 0 in flight (6 records and 1 interval of samples), 0 delivered, 0 rejected
                delivery    7 items waiting: the next run delivers them
                verified    never verified
                last runs
                  2024-01-15 13:00  historical  2024-01-14 to 2024-01-15  completed  0 ms  8 samples read, 8 stored, 6 records changed

                """)
        let push = await world.run("push --server https://example.org")
        #expect(
            push.output
                == "https://example.org: 6 records delivered\n  3 samples sent in 1 interval: 3 created\n")
        #expect(push.status == .done)
    }

    @Test("After reset-tracking the next run derives the days again")
    func resetTracking() async {
        let world = StoredWorld()
        _ = await world.run("historical --source list")
        #expect(
            await world.run("reset-tracking --metric steps").output
                == "5 days reset, summed over all metrics; the next run derives them again\n")
        let again = await world.run("historical").output
        #expect(again.contains("steps      5 days derived, 0 records changed"))
        #expect(again.contains("sleep      nothing new"))
        #expect(
            await world.run("reset-tracking --metric steps --from 2024-01-14 --to 2024-01-15").output
                == "2 days reset, summed over all metrics; the next run derives them again\n")
        #expect(await world.run("historical").output.contains("steps      2 days derived, 0 records changed"))
        #expect(
            await world.run("reset-tracking --metric steps --from 2024-01-15").output
                == "3 days reset, summed over all metrics; the next run derives them again\n")
        #expect(
            await world.run("reset-tracking --metric stepps").errors == [
                "healthsync: stepps: no such metric; did you mean steps?"
            ])
    }

    @Test("inspect shows the contents of a source by type and origin")
    func inspect() async {
        #expect(
            await StoredWorld().run("inspect list").output == """
                /work/list (list, snapshot)
                exported 2024-01-15 12:00
                8 samples read

                type           unit       count  first             last              origin
                sleepAnalysis  -              3  2024-01-14 23:00  2024-01-15 07:00  Anna’s Apple Watch
                heartRate      count/min      2  2024-01-15 09:00  2024-01-15 09:05  Anna’s Apple Watch
                stepCount      count          3  2024-01-14 09:00  2024-01-15 09:10  Anna’s Apple Watch

                """)
    }

    @Test("The profile id is generated at first use and then stays the same")
    func profile() async {
        let world = StoredWorld()
        let path = "/home/anna/.local/share/healthsync/user-profile-id"
        #expect(world.harness.files.text(path) == nil)
        _ = await world.run("daily --source list")
        #expect(world.harness.files.text(path) == "00010203-0405-4607-8809-0a0b0c0d0e0f\n")
        _ = await world.run("daily --source list")
        #expect(world.harness.files.text(path) == "00010203-0405-4607-8809-0a0b0c0d0e0f\n")
        var broken = world
        broken.harness.files = InMemoryFiles([path: "anna"])
        #expect(
            await broken.run("status").errors == [
                "healthsync: /home/anna/.local/share/healthsync/healthsync.sqlite: no database yet; run "
                    + "`healthsync import FILE` first, or name its folder with --data-dir"
            ])
        #expect(await broken.run("status").status == .noInput)
        #expect(await broken.run("daily --source list").status == .configuration)
    }

    @Test("generate passes its options to the generator")
    func generate() async {
        let harness = CommandHarness()
        let outcome = await harness.run("generate --out e.zip --years 3 --density 0.5 --last-day 2024-05-01 --json")
        #expect(outcome.status == .done)
        #expect(outcome.output.contains(#""path": "/work/e.zip""#))
        #expect(outcome.output.contains(#""records": 3"#))
        #expect(outcome.output.contains(#""xmlBytes": 50"#))
        #expect(outcome.output.contains(#""last": "2024-05-01""#))
        #expect(outcome.output.contains(#""zone": "Europe/Paris""#))
        let abroad = await harness.run("generate --out e.zip --zone Asia/Kolkata --json")
        #expect(abroad.output.contains(#""zone": "Asia/Kolkata""#))
        #expect(await harness.run("generate --out e.zip --zone Nowhere").status == .usage)
        #expect(await harness.run("generate").status == .usage)
        #expect(await harness.run("generate --out e.zip --density nan").status == .usage)
        #expect(await harness.run("generate --out e.zip --seed -1").status == .usage)
    }
}

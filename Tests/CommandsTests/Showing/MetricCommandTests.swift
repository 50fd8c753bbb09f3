import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("The metric command")
struct MetricCommandTests {
    /// A week with energy, body mass, oxygen saturation and a metric that no handler derives.
    private static func week() async throws -> RecordedWeek {
        let week = try await RecordedWeek()
        let clock = DayClock(home: try ZoneRules(identifier: "Europe/Paris"))
        var commit = SyncCommit(metric: .activeEnergy)
        let figures: [(String, String, String, ProgressFigures)] = [
            ("activeEnergy", "kcal", "2024-01-14", ProgressFigures(quantity: 412.4)),
            ("activeEnergy", "kcal", "2024-01-15", ProgressFigures(quantity: 1_230.5)),
            ("leanBodyMass", "kg", "2024-01-10", ProgressFigures(quantity: 82.5, minimum: 82, maximum: 83, count: 2)),
            (
                "leanBodyMass", "kg", "2024-01-14",
                ProgressFigures(quantity: 81.25, minimum: 81.25, maximum: 81.25, count: 1)
            ),
            (
                "oxygenSaturation", "%", "2024-01-15",
                ProgressFigures(quantity: 0.974, minimum: 0.95, maximum: 1, count: 9)
            ),
            ("laps\u{1B}[2J", "count", "2024-01-15", ProgressFigures(quantity: 12)),
        ]
        commit.progress = try figures.map { name, unit, text, figures in
            let day = try #require(CalendarDay(text))
            var progress = DailyProgress(
                metric: HealthMetric(rawValue: name), day: day, start: clock.start(of: day), unit: unit,
                figures: figures)
            progress.hours = [HourProgress(start: clock.hours(of: day)[9].start, figures: figures)]
            progress.origins = [OriginProgress(sourceName: "Scale\n", quantity: figures.quantity)]
            return RevisedRecord(progress, sourceID: "\(name)/\(day)", revision: 1)
        }
        try await week.world.stores.tracking.commit(commit)
        return week
    }

    @Test("a sum is shown by its unit, with bars and totals")
    func sum() async throws {
        #expect(
            try await Self.week().run("metric activeEnergy --last 3d", width: 44).output == """
                2024-01-13 to 2024-01-15
                day              kcal
                Sat 2024-01-13      -
                Sun 2024-01-14    412  ███████
                Mon 2024-01-15  1,231  █████████████████████

                total      1,643 kcal on 2 days
                a day      412 kcal, without today
                most       1,231 kcal on Mon 2024-01-15
                best hour  09:00 to 10:00, 412 kcal a day

                """)
    }

    @Test("the last value of a period is that of its last day; the name may be in any case")
    func last() async throws {
        #expect(
            try await Self.week().run("metric leanbodymass --by week --last 2w").output == """
                2024-01-02 to 2024-01-15, in kg
                week       min  max  last
                2024-W01     -    -     -
                2024-W02  81.3   83  81.3
                2024-W03     -    -     -

                range  81.3 to 83 kg
                last   81.3 kg

                """)
    }

    @Test("percentages are shown from 0 to 100, by hour too, with each source alone")
    func percentages() async throws {
        let lines = try await Self.week().run("metric oxygenSaturation today --origins").output.split(separator: "\n")
        #expect(lines[0...3] == ["Mon 2024-01-15, in %", "range  95 to 100%", "mean   97.4%", "hour   min  max  mean"])
        #expect(lines[13] == "09:00   95  100  97.4")
        #expect(lines.last == "  Scale\\n  97.4")
    }

    @Test("a metric that no handler derives is shown by its records; its name cannot control the terminal")
    func unknownToHandlers() async throws {
        let outcome = await (try await Self.week()).world.harness.run(words: ["metric", "laps\u{1B}[2J", "today"])
        #expect(outcome.status == .done)
        #expect(outcome.output.contains("hour   laps\\u{1b}[2J"))
        #expect(outcome.output.hasSuffix("total  12\n") && !outcome.output.contains("\u{1B}"))
    }

    @Test("JSON has the definition, exact figures and the days that are out of date")
    func json() async throws {
        #expect(
            try await Self.week().run("metric oxygenSaturation --from 2024-01-15 --by month --json").output == """
                {
                  "metric": "oxygenSaturation",
                  "title": "Oxygen saturation",
                  "unit": "%",
                  "kind": "mean",
                  "zone": "Europe/Paris",
                  "days": {
                    "first": "2024-01-15",
                    "last": "2024-01-15"
                  },
                  "by": "month",
                  "recordedDays": 1,
                  "quantity": 0.974,
                  "minimum": 0.95,
                  "maximum": 1,
                  "count": 9,
                  "heldMinutes": null,
                  "averagePerDay": null,
                  "highest": null,
                  "bestWeekday": null,
                  "bestHour": null,
                  "outOfDate": {
                    "dayCount": 0,
                    "days": 0,
                    "first": null,
                    "last": null,
                    "command": null
                  },
                  "periods": [
                    {
                      "period": "2024-01",
                      "first": "2024-01-15",
                      "last": "2024-01-15",
                      "recordedDays": 1,
                      "quantity": 0.974,
                      "minimum": 0.95,
                      "maximum": 1,
                      "count": 9,
                      "heldMinutes": null,
                      "averagePerDay": null,
                      "origins": [
                        {
                          "source": "Scale\\n",
                          "quantity": 0.974
                        }
                      ]
                    }
                  ]
                }

                """)
        let hours = try await Self.week().run("metric activeEnergy yesterday --json").output
        #expect(hours.contains("\"start\": \"2024-01-14T09:00:00+01:00\",\n          \"quantity\": 412.4,"))
        #expect(hours.contains("\"highest\": {\n    \"day\": \"2024-01-14\",\n    \"quantity\": 412.4\n  }"))
    }

    @Test(
        "a metric without records is reported with a remedy, and JSON has no periods",
        arguments: [
            (
                "metric steps 2020-02-29",
                "steps: nothing recorded on 2020-02-29; the latest day with records is 2024-01-15"
            ),
            (
                "metric height",
                "height: nothing recorded yet; run `healthsync import FILE` with a source that contains it"
            ),
        ])
    func nothing(line: String, message: String) async throws {
        let outcome = try await Self.week().run(line)
        #expect(outcome.status == .done && outcome.output.hasPrefix(message), "\(outcome.output)")
        let json = try await Self.week().run(line + " --json").output
        #expect(json.contains("\"periods\": []") && json.contains("\"quantity\": null"))
    }

    @Test("The remedy for a metric that a selection lacks is the whole list")
    func notSelected() async throws {
        var week = try await Self.week()
        week.world.harness.variables["HEALTHSYNC_METRICS"] = "steps,weight"
        let output = await week.run("metric height").output
        #expect(output.contains("nothing recorded yet; set \"metrics\": [\"steps\", \"bodyMass\", \"height\"] in the"))
    }

    @Test(
        "an unknown metric, sleep and wrong days are rejected",
        arguments: [
            ("metric bodyMas", "did you mean bodyMass? `healthsync metrics` lists all metrics"),
            ("metric nonsense123", "no such metric; `healthsync metrics` lists all metrics"),
            ("metric sleep", "sleep: this metric consists of sessions, not figures; run `healthsync sleep`"),
            ("metric steps 2023-02-29", "2023-02-29"), ("metric steps today --last 7d", "--last"),
            ("metric steps --by fortnight", "--by"), ("metric", "NAME"),
        ])
    func rejected(line: String, message: String) async throws {
        let outcome = try await Self.week().run(line)
        #expect(outcome.status == .usage && outcome.output.isEmpty)
        #expect(outcome.errors.joined().contains(message), "\(outcome.errors)")
    }

    @Test("days on which only other metrics are underived are not out of date")
    func outOfDate() async {
        let world = StoredWorld()
        _ = await world.run("historical --source list --metrics steps --types all")
        #expect(await world.run("status --json").output.contains("\"command\": \"healthsync historical\""))
        let outcome = await world.run("metric steps --json")
        #expect(outcome.output.contains("\"outOfDate\": {\n    \"dayCount\": 0,"))
        #expect(await world.run("metric steps").errors.isEmpty)
        #expect(await world.run("metric heartRate").errors.first?.contains("out of date") == true)
    }

    @Test("the summary shows the latest figure of every metric")
    func summary() async throws {
        let week = try await Self.week()
        let output = await week.run("summary").output
        for line in [
            "active energy 1,231 kcal 2024-01-15",
            "lean body mass 81.3 kg (81.3 to 81.3 kg) 2024-01-14", "97.4% (95 to 100%)",
            "laps\\u{1b}[2J 12",
        ] {
            #expect(output.split(separator: " ").joined(separator: " ").contains(line), "\(output)")
        }
        let json = await week.run("summary --json").output
        #expect(json.contains("\"metric\": \"leanBodyMass\",\n      \"day\": \"2024-01-14\""))
    }

    @Test("the list of metrics has title, unit, kind and results")
    func metrics() async throws {
        let world = StoredWorld()
        let lines = await world.run("metrics").output.split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.hasPrefix("heartRate  Heart rate  count/min  mean") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("sleep      Sleep       -          sessions") }, "\(lines)")
        let json = await world.run("metrics --json").output
        let saturation =
            "\"metric\": \"oxygenSaturation\",\n      \"title\": \"Oxygen saturation\",\n      \"unit\": \"%\""
        #expect(json.contains(saturation))
    }
}

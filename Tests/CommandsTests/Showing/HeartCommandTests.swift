import Testing

@Suite("The heart command")
struct HeartCommandTests {
    @Test("Each day from lowest to highest with a mark at the mean, and the resting heart rate")
    func week() async throws {
        #expect(
            try await RecordedWeek().run("heart --from 2024-01-12", width: 80).output == """
                2024-01-12 to 2024-01-15
                day             min  mean  max  resting
                Fri 2024-01-12    -     -    -        -
                Sat 2024-01-13    -     -    -       52
                Sun 2024-01-14   48    70  120       54  ───────────●───────────────────────────
                Mon 2024-01-15   60    80  100        -        ───────────●───────────

                all      73/min (48 to 120)
                resting  53/min

                """)
    }

    @Test("Weeks weigh by measurements; without room there are no bars")
    func weeks() async throws {
        #expect(
            try await RecordedWeek().run("heart --by week --last 2w", width: 40).output == """
                2024-01-02 to 2024-01-15
                week      min  mean  max  resting
                2024-W01    -     -    -        -
                2024-W02   48    70  120       53
                2024-W03   60    80  100        -

                all      73/min (48 to 120)
                resting  53/min

                """)
    }

    @Test("A day by its hours")
    func hours() async throws {
        let lines = try await RecordedWeek().run("heart today").output.split(separator: "\n")
        #expect(lines.count == 27)
        #expect(lines[0...2] == ["Mon 2024-01-15", "hour   min  mean  max", "00:00    -     -    -"])
        #expect(lines[11] == "09:00   60    80  100")
        #expect(lines[26] == "day  80/min (60 to 100)")
    }

    @Test("JSON has the same figures, and null for what was not measured")
    func json() async throws {
        let output = try await RecordedWeek().run("heart --from 2024-01-13 --to 2024-01-14 --json").output
        #expect(
            output == """
                {
                  "zone": "Europe/Paris",
                  "days": {
                    "first": "2024-01-13",
                    "last": "2024-01-14"
                  },
                  "by": "day",
                  "recordedDays": 2,
                  "minimumBeatsPerMinute": 48,
                  "meanBeatsPerMinute": 70,
                  "maximumBeatsPerMinute": 120,
                  "measurementCount": 300,
                  "restingBeatsPerMinute": 53,
                  "periods": [
                    {
                      "period": "2024-01-13",
                      "first": "2024-01-13",
                      "last": "2024-01-13",
                      "recordedDays": 1,
                      "minimumBeatsPerMinute": null,
                      "meanBeatsPerMinute": null,
                      "maximumBeatsPerMinute": null,
                      "measurementCount": null,
                      "restingBeatsPerMinute": 52
                    },
                    {
                      "period": "2024-01-14",
                      "first": "2024-01-14",
                      "last": "2024-01-14",
                      "recordedDays": 1,
                      "minimumBeatsPerMinute": 48,
                      "meanBeatsPerMinute": 70,
                      "maximumBeatsPerMinute": 120,
                      "measurementCount": 300,
                      "restingBeatsPerMinute": 54
                    }
                  ]
                }

                """)
    }
}

import Testing

@Suite("The heart command")
struct HeartCommandTests {
    @Test("A bar of a day goes from the lowest to the highest heart rate, with a mark at the mean")
    func week() async throws {
        #expect(
            try await RecordedWeek().run("heart --from 2024-01-12", width: 80).output == """
                2024-01-12 to 2024-01-15, per minute
                day             resting  min  max  mean
                Fri 2024-01-12        -    -    -     -
                Sat 2024-01-13       52    -    -     -
                Sun 2024-01-14       54   48  120    70  ───────────●───────────────────────────
                Mon 2024-01-15        -   60  100    80        ───────────●───────────

                resting  53/min
                range    48 to 120/min
                mean     73/min

                """)
    }

    @Test("The mean of a week is weighted by measurements; a narrow terminal shows no bars")
    func weeks() async throws {
        #expect(
            try await RecordedWeek().run("heart --by week --last 2w", width: 40).output == """
                2024-01-02 to 2024-01-15, per minute
                week      resting  min  max  mean
                2024-W01        -    -    -     -
                2024-W02       53   48  120    70
                2024-W03        -   60  100    80

                resting  53/min
                range    48 to 120/min
                mean     73/min

                """)
    }

    @Test("A single day is shown by hours")
    func hours() async throws {
        let lines = try await RecordedWeek().run("heart today").output.split(separator: "\n")
        #expect(lines.count == 28)
        #expect(lines[0...2] == ["Mon 2024-01-15, per minute", "range  60 to 100/min", "mean   80/min"])
        #expect(lines[3...4] == ["hour   min  max  mean", "00:00    -    -     -"])
        #expect(lines[13] == "09:00   60  100    80")
    }

    @Test("JSON has the same figures, and null for those that were not measured")
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
                  "restingBeatsPerMinute": 53,
                  "restingChangePerYear": null,
                  "minimumBeatsPerMinute": 48,
                  "maximumBeatsPerMinute": 120,
                  "meanBeatsPerMinute": 70,
                  "measurementCount": 300,
                  "heldMinutes": null,
                  "periods": [
                    {
                      "period": "2024-01-13",
                      "first": "2024-01-13",
                      "last": "2024-01-13",
                      "recordedDays": 1,
                      "restingBeatsPerMinute": 52,
                      "minimumBeatsPerMinute": null,
                      "maximumBeatsPerMinute": null,
                      "meanBeatsPerMinute": null,
                      "measurementCount": null,
                      "heldMinutes": null
                    },
                    {
                      "period": "2024-01-14",
                      "first": "2024-01-14",
                      "last": "2024-01-14",
                      "recordedDays": 1,
                      "restingBeatsPerMinute": 54,
                      "minimumBeatsPerMinute": 48,
                      "maximumBeatsPerMinute": 120,
                      "meanBeatsPerMinute": 70,
                      "measurementCount": 300,
                      "heldMinutes": null
                    }
                  ]
                }

                """)
    }
}

import HealthSyncCommands
import Testing

@Suite("The steps command")
struct StepsCommandTests {
    private static let totals = """

        total         19,545 on 3 days
        a day         6,773, without today
        most          12,345 on Tue 2024-01-09
        best weekday  Tuesday, 12,345 a day

        """

    @Test("The last seven days are shown, with bars on one scale")
    func week() async throws {
        let expected = """
            2024-01-09 to 2024-01-15
            day              steps
            Tue 2024-01-09  12,345  ████████████████
            Wed 2024-01-10       -
            Thu 2024-01-11       -
            Fri 2024-01-12       -
            Sat 2024-01-13       -
            Sun 2024-01-14   1,200  █▌
            Mon 2024-01-15   6,000  ███████▊

            """
        #expect(try await RecordedWeek().run("steps", width: 40).output == expected + Self.totals)
    }

    @Test("--origins shows the figures of each source below the merged one; names are cut and escaped")
    func origins() async throws {
        let expected = """
            2024-01-09 to 2024-01-15
            day                      steps
            Tue 2024-01-09          12,345  ████████
              Anna’s Watch          12,000  ███████▊
              手机 📱 \\u{1b}[31mx…   7,000  ████▌
            Wed 2024-01-10               -
            Thu 2024-01-11               -
            Fri 2024-01-12               -
            Sat 2024-01-13               -
            Sun 2024-01-14           1,200  ▊
              Anna’s Watch           1,200  ▊
            Mon 2024-01-15           6,000  ███▉
              Anna’s Watch           6,000  ███▉

            """
        #expect(try await RecordedWeek().run("steps --origins", width: 40).output == expected + Self.totals)
    }

    @Test("Bars of weeks and months compare their days, not totals of more or fewer of them")
    func weeks() async throws {
        let lines = try await RecordedWeek().run("steps --from 2023-10-29 --to 2024-01-14 --by month", width: 200)
            .output
            .split(separator: "\n")
        // 50 steps of one day are half a column of 13,545, and more than one of 6,773.
        #expect(lines[2] == "2023-10      50     50     1  █▏")
        #expect(lines[5] == "2024-01  13,545  6,773     2  " + String(repeating: "█", count: 160))
    }

    @Test("A day of 25 hours shows all of them, the repeated one with its offsets")
    func autumn() async throws {
        let output = try await RecordedWeek().run("steps 2023-10-29", width: 40).output
        let lines = output.split(separator: "\n").map(String.init)
        #expect(lines.count == 28)
        let expected: [String] = [
            "Sun 2023-10-29", "hour          steps", "00:00             -", "01:00            10  █████████▌",
            "02:00 +02:00     20  ███████████████████", "02:00 +01:00     15  ██████████████▎",
            "03:00             -",
        ]
        #expect(Array(lines.prefix(7)) == expected)
        #expect(lines.last == "total  50")
        let spring = try await RecordedWeek().run("steps 2024-03-31")
        #expect(spring.output.hasPrefix("steps: nothing recorded on 2024-03-31"))
    }

    @Test("A month counts only its selected days")
    func months() async throws {
        let week = try await RecordedWeek()
        #expect(
            await week.run("steps --by month --from 2023-10-01").output == """
                2023-10-01 to 2024-01-15
                month     steps  a day  days
                2023-10      50     50     1
                2023-11       -      -     0
                2023-12       -      -     0
                2024-01  19,545  6,773     3

                total         19,595 on 4 days
                a day         4,532, without today
                most          12,345 on Tue 2024-01-09
                best weekday  Tuesday, 12,345 a day
                best hour     02:00 to 03:00, 12 a day

                """)
        let json = await week.run("steps --by week --last 1w --json").output
        #expect(json.contains(#""period": "2024-W02","#))
        #expect(json.contains("\"first\": \"2024-01-09\",\n      \"last\": \"2024-01-14\""))
    }

    @Test(
        "Invalid days and periods are rejected",
        arguments: [
            "steps --by fortnight", "steps --last 3m", "steps --last 7d --from 2024-01-01", "steps today --last 7d",
            "steps 2023-02-29", "steps 2023-13", "steps 2023-1", "steps 23", "steps 2023-", "steps 2023-12 --last 7d",
            "steps --from 2024-02-01 --to 2024-01-01", "sleep --by hour", "sleep tomorrow",
        ])
    func refused(line: String) async throws {
        let outcome = try await RecordedWeek().run(line)
        #expect(outcome.status == .usage)
        #expect(outcome.output.isEmpty)
    }

    @Test(
        "Options select the documented days",
        arguments: [
            ("steps", "2024-01-09", "2024-01-15"), ("steps --last 1d", "2024-01-15", "2024-01-15"),
            ("steps yesterday", "2024-01-14", "2024-01-14"), ("steps --last 3mo", "2023-10-16", "2024-01-15"),
            ("steps --last 30d --to 2023-12-31", "2023-12-02", "2023-12-31"),
            ("steps --to 2023-12-31", "2023-12-25", "2023-12-31"),
            ("steps --from 2024-01-10", "2024-01-10", "2024-01-15"),
            ("steps --from 2025-01-10", "2025-01-10", "2025-01-10"), ("steps --by week", "2023-10-30", "2024-01-15"),
            ("steps --by month", "2023-02-01", "2024-01-15"),
            ("steps --by month --to 2023-12-31", "2023-01-01", "2023-12-31"),
            ("steps --by week --to 2023-12-31", "2023-10-09", "2023-12-31"),
            ("steps 2024-02", "2024-02-01", "2024-02-29"), ("steps 2023", "2023-01-01", "2023-12-31"),
            ("steps 2023-12 --by week", "2023-12-01", "2023-12-31"), ("sleep 2023-12", "2023-12-01", "2023-12-31"),
            ("steps --last month", "2023-12-16", "2024-01-15"), ("steps --last week", "2024-01-09", "2024-01-15"),
            ("steps --by year", "2015-01-01", "2024-01-15"),
        ])
    func selectedDays(line: String, first: String, last: String) async throws {
        let json = try await RecordedWeek().run(line + " --json").output
        #expect(json.contains("\"days\": {\n    \"first\": \"\(first)\",\n    \"last\": \"\(last)\"\n  }"))
    }
}

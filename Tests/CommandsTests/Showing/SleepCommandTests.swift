import HealthSyncCommands
import Testing

@Suite("The sleep command")
struct SleepCommandTests {
    private static let averages = """

        average of 2 nights
          asleep      7 h 0 min
          in bed      8 h 0 min
          efficiency  88%
          awake       15 min
          REM         1 h 0 min
          core        4 h 30 min
          deep        1 h 30 min

        """

    @Test("A terminal shows a bar for each night, on one scale, naps separately, and a legend")
    func terminal() async throws {
        let expected = """
            2024-01-09 to 2024-01-15
            night           from-to         asleep  eff
            Sun 2024-01-14  23:00-07:00  7 h 0 min  88%  ··▄▄▄▄▄▄▄▄▄▂▂▂▂▄▄▄▄▄▄▄▄▄██▆▆▆▆▆▆▆▆▆
            Mon 2024-01-15  23:00-07:00  7 h 0 min  88%  no stages, only sums

            naps            from-to      asleep   eff
            Sun 2024-01-14  14:00-14:45  45 min  100%  ▒▒▒

            """
        let legend = "\n· in bed  █ awake  ▆ REM  ▒ asleep  ▄ core  ▂ deep\n"
        #expect(try await RecordedWeek().run("sleep", width: 80).output == expected + Self.averages + legend)
    }

    @Test("Months with a night of which only the time in bed is known say that the averages do not include it")
    func onlyInBed() async throws {
        let note = "\nof 1 night only the time in bed is known; no average includes it\n"
        for unit in ["week", "month", "year"] {
            let output = try await RecordedWeek(onlyInBed: true).run("sleep --by \(unit)", width: 80).output
            #expect(output.contains(note), "\(output)")
            #expect(try await !RecordedWeek().run("sleep --by \(unit)", width: 80).output.contains("time in bed is"))
        }
    }

    @Test("A narrow terminal shows names and bars on lines of their own, and no line is too wide")
    func narrow() async throws {
        let expected = """
            2024-01-09 to 2024-01-15
            night           from-to         asleep
            Sun 2024-01-14  23:00-07:00  7 h 0 min
              Anna’s Watch
              ··▄▄▄▄▄▄▄▄▄▂▂▂▂▄▄▄▄▄▄▄▄███▆▆▆▆▆▆▆▆
              other         22:30-07:30          -
              手机 📱 \\u{1b}[31mxxxxxxxxxxxxxxxxxxx…
              ······································
            Mon 2024-01-15  23:00-07:00  7 h 0 min
              Anna’s Watch
              no stages, only sums

            naps            from-to      asleep
            Sun 2024-01-14  14:00-14:45  45 min
              Anna’s Watch
              ▒▒▒

            """
        let legend = "\n· in bed  █ awake  ▆ REM  ▒ asleep\n▄ core  ▂ deep\n"
        let outcome = try await RecordedWeek().run("sleep --all", width: 40)
        #expect(outcome.output == expected + Self.averages + legend)
    }

    @Test("A wide terminal shows the recorder, and bars as long as there is room")
    func wide() async throws {
        let lines = try await RecordedWeek().run("sleep --all", width: 127).output.split(separator: "\n")
        let watch = "···▄▄▄▄▄▄▄▄▄▄▄▄▄▄▂▂▂▂▂▂▄▄▄▄▄▄▄▄▄▄▄▄▄████▆▆▆▆▆▆▆▆▆▆▆▆▆"
        let phone = String(repeating: "·", count: 60)
        #expect(lines[2] == "Sun 2024-01-14  23:00-07:00  7 h 0 min  88%  Anna’s Watch          \(watch)")
        #expect(lines[3] == "  other         22:30-07:30          -    -  手机 📱 \\u{1b}[31mx…  \(phone)")
        #expect(lines[4] == "Mon 2024-01-15  23:00-07:00  7 h 0 min  88%  Anna’s Watch          no stages, only sums")
        let bars = [226: 159, 227: 160, 228: 160, 500: 160]
        for (width, slices) in bars {
            let wider = try await RecordedWeek().run("sleep --all", width: width).output.split(separator: "\n")
            #expect(wider[3].hasSuffix("x…  " + String(repeating: "·", count: slices)), "\(width) columns")
        }
    }

    @Test("A file gets figures instead of bars")
    func plain() async throws {
        let expected = """
            2024-01-09 to 2024-01-15
            night           from-to         asleep  eff     in bed   awake        REM       core       deep  unspecified  role  source
            Sun 2024-01-14  23:00-07:00  7 h 0 min  88%  8 h 0 min  30 min  2 h 0 min  4 h 0 min  1 h 0 min            -  main  Anna’s Watch
            Mon 2024-01-15  23:00-07:00  7 h 0 min  88%  8 h 0 min       -          -  5 h 0 min  2 h 0 min            -  main  Anna’s Watch

            naps            from-to      asleep   eff  in bed  awake  REM  core  deep  unspecified  role  source
            Sun 2024-01-14  14:00-14:45  45 min  100%  45 min      -    -     -     -       45 min  nap   Anna’s Watch

            """
        #expect(try await RecordedWeek().run("sleep").output == expected + Self.averages)
    }

    @Test("Bars are colored only on terminals that allow it, and ASCII unless the locale is UTF-8")
    func colors() async throws {
        var week = try await RecordedWeek()
        let nap = { (output: String) in output.split(separator: "\n").first { $0.contains("14:00-14:45") } }
        #expect(
            nap(await week.run("sleep", width: 80, color: true).output)
                == "Sun 2024-01-14  14:00-14:45  45 min  100%  \u{1B}[38;5;73m▒▒▒\u{1B}[0m")
        week.world.harness.variables["LC_ALL"] = "C"
        #expect(
            nap(await week.run("sleep", width: 80).output) == "Sun 2024-01-14  14:00-14:45  45 min  100%  SSS")
        let piped = await week.run("sleep", color: true)
        #expect(!piped.output.contains("\u{1B}"))
    }

    @Test("Days without records are reported, and JSON has empty arrays")
    func nothing() async throws {
        let week = try await RecordedWeek()
        let outcome = await week.run("sleep 2020-02-29")
        #expect(outcome.status == .done)
        #expect(
            outcome.output
                == "sleep: nothing recorded on 2020-02-29; the latest day with records is 2024-01-15\n"
        )
        #expect(await StoredWorld().run("sleep").output == "sleep: nothing recorded yet\n")
        #expect(
            await week.run("sleep 2020-02-29 --json").output == """
                {
                  "zone": "Europe/Paris",
                  "days": {
                    "first": "2020-02-29",
                    "last": "2020-02-29"
                  },
                  "by": "day",
                  "averages": null,
                  "periods": [],
                  "nights": [],
                  "naps": [],
                  "otherNaps": []
                }

                """)
    }
}

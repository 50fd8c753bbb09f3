import Foundation
import HealthSyncCommands
import HealthSyncDomain
import Testing

@Suite("The journal")
struct JournalCommandTests {
    @Test("The journal shows hours, parts of hours and the totals of each shoe")
    func day() async throws {
        let shoes = await ShoeWorld()
        _ = await shoes.run("historical --source list")
        #expect(
            await shoes.run("shoes assign pegasus --day yesterday --hours 8-10")
                == "Nike Pegasus: 2024-01-14 08:00 to 11:00\n")
        #expect(
            await shoes.run("shoes assign speedcross 6 --day yesterday --hours 10,20") == """
                👟 Salomon Speedcross 6: 2024-01-14 10:00 to 11:00, 2024-01-14 20:00 to 21:00
                taken from Nike Pegasus: 1 h 0 min

                """)
        let lines = await shoes.run("journal yesterday").split(separator: "\n").map(String.init)
        #expect(lines.first == "Sun 2024-01-14")
        #expect(lines.count == 31)
        let expected = [
            "hour  steps  km  shoes", "0         -   -", "8         -   -  Nike Pegasus",
            "9     1,000   -  Nike Pegasus", "10      200   -  👟 Salomon Speedcross 6", "11        -   -",
            "20        -   -  👟 Salomon Speedcross 6",
        ]
        for line in expected { #expect(lines.contains(line), "\(line)") }
        #expect(
            lines.suffix(4) == [
                "Nike Pegasus             1,000   -  2 h 0 min", "👟 Salomon Speedcross 6    200   -  2 h 0 min",
                "unattributed                 0   -", "total                    1,200   -",
            ])
    }

    @Test("A part of an hour is listed below the hour")
    func parts() async {
        let shoes = await ShoeWorld()
        _ = await shoes.run("daily --source list")
        _ = await shoes.run("shoes check", afterMinutes: 240)
        let output = await shoes.run("journal")
        let part = "\n9              1,250   -\n  09:00-09:10  1,250   -  👟 Salomon Speedcross 6\n10"
        #expect(output.contains(part), "\(output)")
        #expect(output.contains("\n👟 Salomon Speedcross 6  1,250   -  10 min\n"), "\(output)")
    }

    @Test("JSON names hours as `--hours` accepts them, including the repeated hour")
    func document() async throws {
        let shoes = await ShoeWorld()
        _ = await shoes.run("historical --source list")
        _ = await shoes.run("shoes assign pegasus --day 2023-10-29 --hours 2b")
        let document = try await shoes.json("journal 2023-10-29")
        let hours = try #require(document["hours"] as? [[String: Any]])
        #expect(hours.map { $0["hour"] as? String }.prefix(5) == ["0", "1", "2a", "2b", "3"])
        #expect(hours.count == 25)
        let worn = try #require(hours[3]["wearings"] as? [[String: Any]])
        #expect(worn.first?["start"] as? String == "2023-10-29T02:00:00+01:00")
        #expect(worn.first?["end"] as? String == "2023-10-29T03:00:00+01:00")
        #expect(worn.first?["name"] as? String == "Nike Pegasus")
        let uses = try #require(document["shoes"] as? [[String: Any]])
        #expect(uses.first?["wornMinutes"] as? Double == 60)
        #expect(document["total"] as? [String: NSNull] == ["steps": NSNull(), "walkingDistanceKilometres": NSNull()])
    }

    @Test("A terminal shows bars, and an empty day is reported")
    func terminal() async throws {
        let shoes = await ShoeWorld()
        _ = await shoes.run("historical --source list")
        var harness = shoes.world.harness
        harness.terminalWidth = 40
        harness.variables["NO_COLOR"] = "1"
        harness.variables["LANG"] = "C.UTF-8"
        let output = await harness.run("journal yesterday").output
        #expect(output.contains("\n9     1,000   -         ██████████"), "\(output)")
        #expect(output.split(separator: "\n").allSatisfy { $0.count <= 40 })
        #expect(await shoes.run("journal 2020-01-01") == "Wed 2020-01-01\n  nothing recorded\n")
        #expect(await CommandHarness().run("journal").status == .noInput)
    }
}

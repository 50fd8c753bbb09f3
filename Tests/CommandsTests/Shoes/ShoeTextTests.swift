import HealthSyncCommands
import HealthSyncDomain
import Testing

/// Text about shoes fits the terminal and is unambiguous when clocks go back.
@Suite("Shoe text")
struct ShoeTextTests {
    /// Returns the output on a terminal of `width` columns.
    private func lines(_ line: String, width: Int, of shoes: ShoeWorld) async -> [String] {
        var harness = shoes.world.harness
        harness.terminalWidth = width
        harness.variables["LANG"] = "en_US.UTF-8"
        harness.variables["NO_COLOR"] = "1"
        return await harness.run(line).output.split(separator: "\n").map(String.init)
    }

    @Test("No line is wider than the terminal, however long the names are", arguments: [40, 60, 80, 120])
    func widths(width: Int) async throws {
        let shoes = await ShoeWorld()
        let brand = String(repeating: "b", count: 60)
        let model = String(repeating: "👟", count: 60)
        #expect(await shoes.run("shoes add \(brand) \(model) --emoji 👟").contains("added"))
        _ = await shoes.run("historical --source list")
        _ = await shoes.run("shoes assign \(model) --day yesterday --hours 8-10")
        for line in ["shoes list", "shoes show \(model)", "journal yesterday"] {
            let lines = await lines(line, width: width, of: shoes)
            #expect(lines.count >= 3)
            #expect(lines.contains { $0.contains("bbbbbb") }, "\(line)")
            for text in lines { #expect(DisplayText.width(text) <= width, "\(line): \(text)") }
        }
    }

    @Test("On a narrow terminal the list omits columns before it truncates names")
    func narrowList() async {
        let shoes = await ShoeWorld()
        let wide = await lines("shoes list", width: 90, of: shoes)
        #expect(wide.first?.split(separator: " ").joined(separator: " ") == "id shoe steps km worn per km since")
        let narrow = await lines("shoes list", width: 60, of: shoes)
        #expect(narrow.first?.split(separator: " ").joined(separator: " ") == "id shoe steps km worn")
        #expect(narrow.contains { $0.contains("👟 Salomon Speedcross 6 ") }, "\(narrow)")
        let plain = await shoes.run("shoes list")
        #expect(plain.hasPrefix("id        shoe                     steps  km   worn  per km  since\n"))
    }

    @Test("A repeated hour is shown with its offset")
    func repeatedHour() async {
        let shoes = await ShoeWorld()
        // Advance to 2024-10-27 00:30 UTC, the first 2:30 in Paris.
        #expect(
            await shoes.run("shoes start", afterMinutes: 411_150)
                == "started: 👟 Salomon Speedcross 6: since 2024-10-27 02:30 +02:00\n")
        #expect(
            await shoes.run("shoes stop", afterMinutes: 60)
                == "ended: 👟 Salomon Speedcross 6: 2024-10-27 02:30 +02:00 to 02:30 +01:00\n")
        #expect(
            await shoes.run("shoes start", afterMinutes: 60)
                == "started: 👟 Salomon Speedcross 6: since 2024-10-27 03:30\n")
    }

    @Test("A day that the time zone skipped has no hours")
    func dayWithoutHours() async {
        let shoes = await ShoeWorld()
        #expect(
            await shoes.run("shoes assign pegasus --day 2011-12-30 --hours 8 --zone Pacific/Apia")
                == "healthsync: hours: 2011-12-30 has no hour 8; the time zone skipped this day; "
                + "use the day before or after\n")
        #expect(
            await shoes.run("shoes assign pegasus --day 0001-01-01 --hours 3")
                == "healthsync: day: 0001-01-01 is before 1900-01-01; use the day on which the shoes were worn\n")
    }
}

import HealthSyncCommands
import Testing

@Suite("The summary of a day")
struct SummaryDayTests {
    @Test("Of several recorders the preferred one is shown; metrics have readable names")
    func preferred() async throws {
        let week = try await RecordedWeek()
        let output = await week.run("summary 2024-01-14").output
        let lines = output.split(separator: "\n").map(String.init)
        #expect(
            lines.sorted() == [
                "  heart rate          48 to 120/min", "  resting heart rate  54/min (54 to 54/min)",
                "  sleep               main 23:00 to 07:00, 7 h 0 min, 88% efficiency (Anna’s Watch)",
                "  sleep               nap 14:00 to 14:45, 45 min, 100% efficiency (Anna’s Watch)",
                "  steps               1,200", "2024-01-14",
            ], "\(output)")
    }

    @Test("If only time in bed is known, it is shown, without 0 hours of sleep")
    func onlyInBed() async throws {
        let week = try await RecordedWeek(onlyInBed: true)
        let output = await week.run("summary 2024-01-14").output
        #expect(output.contains("sleep               main 22:30 to 07:30, 9 h 0 min in bed ("), "\(output)")
        let json = await week.run("summary 2024-01-14 --json").output
        #expect(json.contains(#""totalSleepMinutes": null"#) || json.contains(#""totalSleepMinutes":null"#), "\(json)")
        for stage in ["awake", "rem", "core", "deep", "unspecified"] {
            #expect(json.replacing(" ", with: "").contains("\"\(stage)Minutes\":null"), "\(json)")
        }
        #expect(json.contains(#""timeInBedMinutes": 540"#) || json.contains(#""timeInBedMinutes":540"#))
    }

    @Test("No line is wider than the terminal", arguments: [40, 60, 80])
    func width(columns: Int) async throws {
        let lines = try await RecordedWeek(onlyInBed: true).run("summary 2024-01-14", width: columns).output
            .split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.contains("9 h 0 min in bed") }, "\(lines)")
        for line in lines { #expect(DisplayText.width(line) <= columns, "\(line)") }
    }
}

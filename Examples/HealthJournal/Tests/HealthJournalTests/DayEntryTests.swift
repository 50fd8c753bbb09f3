import Foundation
import HealthJournal
import HealthSyncApp
import HealthSyncDomain
import Testing

struct DayEntryTests {
    @Test("An entry has the figures of its day")
    func figures() async throws {
        let folder = NSTemporaryDirectory() + "health-journal-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let source = folder + "/steps.jsonl"
        let times = #""startDate":"2024-01-15T08:00:00Z","endDate":"2024-01-15T08:10:00Z""#
        let walk = #"{\#(times),"count":1234,"sourceBundleId":"Pedometer"}"#
        try walk.write(toFile: source, atomically: true, encoding: .utf8)
        let request = HealthSync.Request(
            .daily(), dataDirectory: folder + "/data", sources: [.location(source)], zone: "UTC")
        #expect(try await HealthSync.run(request).exitStatus == 0)

        let data = try await HealthSync.open(folder + "/data")
        let day = try #require(CalendarDay("2024-01-15"))
        let entry = try await data.read { try await DayEntry(of: day, from: $0) }
        #expect(entry.figures == ["steps": 1234])
        #expect(entry.night == nil && entry.shoes.isEmpty && entry.usualSteps == nil)
    }
}

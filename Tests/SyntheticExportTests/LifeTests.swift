import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSyntheticExport
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// The events in the years of the synthetic user, read from the truth file.
@Suite struct LifeTests {
    private struct Truth: Decodable {
        struct Stay: Decodable {
            let from: String
            let zone: String
        }
        struct Session: Decodable {
            let source: String
            let start: String
            let end: String
            let stageMinutes: [String: Double]
        }
        struct Sleep: Decodable {
            let main: Session?
            let naps: [Session]
        }
        struct Day: Decodable {
            let day: String
            let zone: String
            let steps: Double
            let sleep: Sleep
        }
        let timeZones: [Stay]
        let days: [Day]
    }

    private func truth(years: Int, lastDay: String, travel: Bool = true) async throws -> Truth {
        let folder = try TemporaryFolder()
        let request = ExportGenerationRequest(
            years: years, lastDay: try #require(CalendarDay(lastDay)), seed: 7, zoneName: "America/New_York",
            outPath: folder.path(of: "export.xml"), truthPath: folder.path(of: "truth.json"), density: 0.05,
            includesTravel: travel)
        _ = try await SyntheticExport(time: ManualTime()).generate(request, progress: nil)
        return try JSONDecoder().decode(Truth.self, from: folder.contents(of: "truth.json"))
    }

    @Test func aYearHasPlausibleEvents() async throws {
        let truth = try await truth(years: 1, lastDay: "2024-12-31")
        #expect(truth.days.map(\.day).first == "2024-01-01")
        #expect(truth.days.count == 366)
        #expect(truth.days.allSatisfy { (5000...15_000).contains($0.steps) })
        #expect(truth.days.contains { !$0.sleep.naps.isEmpty })
        #expect(truth.days.contains { $0.sleep.main?.stageMinutes.keys.sorted() == ["in_bed"] })
        let nights = truth.days.compactMap(\.sleep.main)
        #expect(nights.contains { $0.start.prefix(10) != $0.end.prefix(10) })
        #expect(nights.contains { $0.start.prefix(10) == $0.end.prefix(10) })
        #expect(nights.filter { $0.stageMinutes["deep"] != nil }.count > 300)
    }

    @Test func everyTripIsInTheTruthAndEndsInTheHomeZone() async throws {
        let truth = try await truth(years: 1, lastDay: "2024-12-31")
        #expect(truth.timeZones.count == 4)
        #expect(truth.timeZones.last?.zone == "America/New_York")
        let away = try #require(truth.timeZones.first)
        #expect(away.zone != "America/New_York")
        #expect(truth.days.first { $0.day == away.from }?.zone == away.zone)
    }

    @Test func withoutTravelTheZoneNeverChanges() async throws {
        let truth = try await truth(years: 1, lastDay: "2024-12-31", travel: false)
        #expect(truth.timeZones.isEmpty)
        #expect(truth.days.allSatisfy { $0.zone == "America/New_York" })
    }

    @Test func sleepHasNoStagesBefore2020() async throws {
        let truth = try await truth(years: 1, lastDay: "2020-01-20")
        for day in truth.days {
            let stages = Set(day.sleep.main?.stageMinutes.keys.map { $0 } ?? [])
            #expect(stages.contains("core") ? day.day >= "2020" : stages.isSubset(of: ["asleep", "in_bed"]))
        }
    }
}

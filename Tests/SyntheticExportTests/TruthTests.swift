import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSyntheticExport
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Records and truth agree according to an independent program that implements the rules without the generator.
@Suite struct TruthTests {
    private static let allLives: [(zone: String, lastDay: String, file: String)] = [
        ("Europe/Paris", "2025-12-31", "export.zip"),
        // Half a year without and half a year with stages; a new watch in the last one.
        ("America/New_York", "2020-06-30", "export.xml"),
        ("Asia/Kolkata", "2024-12-31", "export.zip"),
    ]
    /// With few seeds only the first one, because the independent program takes as long as all other tests here.
    static let lives = Array(allLives.prefix(Seeds.count(few: 1, some: 3, many: 3)))

    @Test(arguments: lives)
    func recordsGiveTheTruth(zone: String, lastDay: String, file: String) async throws {
        let folder = try TemporaryFolder()
        let day = try #require(CalendarDay(lastDay))
        let request = ExportGenerationRequest(
            years: 1, lastDay: day, seed: 42, zoneName: zone, outPath: folder.path(of: file),
            truthPath: folder.path(of: "truth.json"), density: Seeds.amount == .few ? 0.05 : 0.4)
        let made = try await SyntheticExport(time: ManualTime()).generate(request, progress: nil)
        #expect(made.days.last == day)
        let answer = try await Peer.run("truth/truth_check.py", [folder.path(of: file), folder.path(of: "truth.json")])
        #expect(answer.status == 0, "\(answer.output)")
        #expect(answer.output.contains("records: \(made.records);"), "\(answer.output)")
    }

    /// The checker must detect planted errors.
    @Test(arguments: ["steps", "sleep", "rate"])
    func aChangedTruthIsDetected(what: String) async throws {
        let folder = try TemporaryFolder()
        let request = ExportGenerationRequest(
            years: 1, zoneName: "Europe/Paris", outPath: folder.path(of: "export.xml"),
            truthPath: folder.path(of: "truth.json"), density: 0.05)
        _ = try await SyntheticExport(time: ManualTime()).generate(request, progress: nil)
        var truth = try #require(
            try JSONSerialization.jsonObject(with: folder.contents(of: "truth.json")) as? [String: Any])
        var days = try #require(truth["days"] as? [[String: Any]])
        switch what {
        case "steps":
            for index in 0..<5 { days[index]["steps"] = try #require(days[index]["steps"] as? Double) * 1.1 }
        case "sleep": days[40]["sleep"] = ["naps": []]
        default: days[40]["restingHeartRate"] = 7
        }
        truth["days"] = days
        try JSONSerialization.data(withJSONObject: truth).write(to: URL(filePath: folder.path(of: "truth.json")))
        let answer = try await Peer.run(
            "truth/truth_check.py", [folder.path(of: "export.xml"), folder.path(of: "truth.json")])
        #expect(answer.status == 1, "\(answer.output)")
    }
}

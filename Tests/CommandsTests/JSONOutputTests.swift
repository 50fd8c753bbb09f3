import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("JSON output")
struct JSONOutputTests {
    @Test("Every result is one JSON document with documented members")
    func documented() async throws {
        let page = try Self.page()
        let time = ManualTime(FixedTime().now(), zoneName: "Europe/Paris")
        let world = StoredWorld(
            source: ListSource(location: "/work/list", incompleteAtByte: 9, rejected: ["not a number": 1]),
            verdict: .rejected(reason: "no"), time: time)
        for line in [
            "historical --source list --server https://example.org", "daily", "status", "summary", "summary 2024-01-15",
            "sleep", "steps", "steps today", "heart", "heart today",
            "shoes add Salomon Speedcross --price 1EUR --default", "shoes start", "journal", "shoes list", "shoes stop",
            "shoes show speedcross", "shoes edit speedcross --emoji none", "shoes toggle speedcross", "shoes check",
            "shoes assign speedcross --day yesterday --hours 8", "shoes unassign --day yesterday --hours 8",
            "shoes default --none", "daily",
            "outbox list", "outbox show 1", "push --server https://example.org", "inspect list", "metrics", "doctor",
            "export --out a.csv", "outbox retry 1", "outbox drop --all", "reset-tracking", "generate --out e.zip",
            "--version", "help",
        ] {
            time.advance(milliseconds: 1_000)
            let outcome = await world.run(line + " --json")
            let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
            for name in Self.names(in: document) where name != "not a number" {
                let isDocumented = page.contains("`\(name)`")
                #expect(isDocumented, "\(line): \(name)")
            }
        }
    }

    @Test("The members of a run are stable")
    func run() async throws {
        let world = StoredWorld(verdict: .rejected(reason: "no"))
        let outcome = await world.run("daily --source list --metrics steps,heartRate --server https://a.example --json")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(document["scope"] as? String == "daily")
        #expect(document["exitStatus"] as? Int == 3)
        #expect((document["days"] as? [String: String]) == ["first": "2024-01-14", "last": "2024-01-15"])
        let source = try #require((document["sources"] as? [[String: Any]])?.first)
        #expect(source["read"] as? Int == 8)
        #expect(source["stored"] as? Int == 5)
        #expect(source["notSelected"] as? Int == 3)
        #expect(source["complete"] as? Bool == true)
        let metrics = try #require(document["metrics"] as? [[String: Any]])
        #expect(metrics.map { $0["metric"] as? String } == ["heartRate", "steps"])
        #expect(metrics[1]["outcome"] as? String == "synced")
        let delivery = try #require(document["delivery"] as? [String: Any])
        #expect(delivery["rejected"] as? Int == 6)
        #expect(delivery["refused"] as? Int == 6, "deprecated spelling")
        #expect(delivery["ending"] as? String == "finished")
    }

    private static func page() throws -> String { try ProjectFile.text("docs/command-line.md") }

    private static func names(in document: Any) -> Set<String> {
        switch document {
        case let object as [String: Any]:
            object.reduce(into: Set(object.keys)) { $0.formUnion(names(in: $1.value)) }
        case let list as [Any]: list.reduce(into: []) { $0.formUnion(names(in: $1)) }
        default: []
        }
    }
}

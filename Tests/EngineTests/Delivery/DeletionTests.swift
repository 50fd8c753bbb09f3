import HealthSyncDomain
import HealthSyncEngine
import HealthSyncTestKit
import Testing

/// Deletions made without a server, and revisions after a database was restored.
@Suite("Deletions of derived records")
struct DeletionTests {
    private static let day = "2024-01-19"
    private let facts = (0..<10).map { Fact.steps(Double(100 + $0), day: $0) }
    private let evening = Fact.steps(50, day: 4, hour: 20)

    private func bench() -> EngineBench {
        var bench = EngineBench(ProbeHandler())
        bench.destination = "https://example.org"
        return bench
    }

    @Test("Records deleted without a server are deleted at every server by the next run with one")
    func withoutServer() async throws {
        var bench = bench()
        try await bench.historical(.snapshot(facts + [evening], on: 40, at: "a"))
        bench.destination = nil
        try await bench.historical(.snapshot(facts.filter { $0.start < Fact.day(9).utcStart }, on: 41, at: "b"))
        for destination in ["https://example.org", "https://new.example.org"] {
            bench.destination = destination
            for _ in 1...2 {
                try await bench.historical(.snapshot(facts.filter { $0.start < Fact.day(9).utcStart }, on: 41, at: "b"))
                let deletions = try await bench.queued().filter { $0.hasPrefix("-") }.sorted()
                #expect(
                    deletions == [
                        "-snapshot/2024-01-24@2", "-steps/day/2024-01-24@2",
                        "-steps/hour/2024-01-19/2024-01-19T20:00:00Z@2",
                        "-steps/hour/2024-01-24/2024-01-24T08:00:00Z@2",
                    ])
            }
        }
    }

    @Test("A restored hour is not deleted any more, and its day supersedes the deletion")
    func comesBack() async throws {
        var bench = bench()
        bench.destination = nil
        try await bench.historical(.snapshot(facts + [evening], on: 40, at: "a"))
        try await bench.historical(.snapshot(facts, on: 41, at: "b"))
        try await bench.historical(.snapshot(facts, on: 41, at: "b"), force: true)
        let deleted = try await bench.stores.tracking.tombstoneRevisions(of: ["steps/\(Self.day)"])
        try await bench.historical(.snapshot(facts + [evening], on: 42, at: "c"))
        bench.destination = "https://example.org"
        try await bench.historical(.snapshot(facts + [evening], on: 42, at: "c"))
        #expect(try await bench.queued().filter { $0.hasPrefix("-") } == [])
        let days = try await bench.stores.tracking.progress(derivedBy: .steps, days: Fact.days(4, 4))
        #expect(days[0].revision > (deleted["steps/\(Self.day)"] ?? .max))
    }

    @Test("With force, every record and deletion is sent again under a higher revision")
    func forced() async throws {
        let bench = bench()
        try await bench.historical(.snapshot(facts + [evening], on: 40, at: "a"))
        try await bench.historical(.snapshot(facts, on: 41, at: "b"))
        let before = try await bench.queued()
        try await bench.historical(.snapshot(facts, on: 41, at: "b"), force: true)
        let new = Set(try await bench.queued()).subtracting(before)
        #expect(new.contains("-steps/hour/2024-01-19/2024-01-19T20:00:00Z@3"))
        #expect(new.contains("steps/2024-01-19@4") && new.contains("steps/2024-01-20@2"))
        #expect(new.contains("snapshot/2024-01-19@3"))
        #expect(new.count == 21)
    }

    @Test("A restored database supersedes what its later state had sent")
    func restored() async throws {
        let restored = bench()
        let lost = bench()
        for bench in [restored, lost] { try await bench.historical(.snapshot(facts, on: 40, at: "a")) }
        var changed = facts
        for step in 1...3 {
            lost.time.advance(milliseconds: 60_000)
            changed[4].value = Double(1_000 + step)
            try await lost.historical(.snapshot(changed, on: 40 + step, at: "\(step)"))
        }
        restored.time.advance(milliseconds: 3_600_000)
        changed[4].value = 1
        try await restored.historical(.snapshot(changed, on: 50, at: "z"))
        let days = Fact.days(4, 4)
        let sent = try await lost.stores.tracking.progress(derivedBy: .steps, days: days)[0].revision
        #expect(try await restored.stores.tracking.progress(derivedBy: .steps, days: days)[0].revision > sent)
        let snapshot = try await lost.stores.tracking.snapshots(days: days)[0].revision
        #expect(try await restored.stores.tracking.snapshots(days: days)[0].revision > snapshot)
    }
}

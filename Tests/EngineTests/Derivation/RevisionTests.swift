import HealthSyncDomain
import HealthSyncEngine
import HealthSyncTestKit
import Testing

@Suite struct RevisionTests {
    private let bench: EngineBench
    private let facts = (0..<10).map { Fact.steps(Double(100 + $0), day: $0) }

    init() {
        var bench = EngineBench(ProbeHandler())
        bench.destination = "https://example.org"
        self.bench = bench
    }

    private func newItems(_ before: [String]) async throws -> [String] {
        Array(try await bench.queued().dropFirst(before.count)).sorted()
    }

    @Test func aTombstoneSupersedesItsDayAndARestoredDaySupersedesTheTombstone() async throws {
        let day = Fact.day(4)
        let without = facts.filter { $0 != facts[4] }
        try await bench.historical(.snapshot(facts, on: 40, at: "a"))
        var before = try await bench.queued()
        #expect(before.contains("steps/\(day)@1") && before.contains("snapshot/\(day)@1"))

        try await bench.historical(.snapshot(without, on: 41, at: "b"))
        #expect(try await bench.sums()[day] == nil)
        #expect(
            try await newItems(before) == [
                "-snapshot/\(day)@2", "-steps/day/\(day)@2", "-steps/hour/\(day)/\(day)T08:00:00Z@2",
            ])
        #expect(
            try await bench.stores.tracking.tombstoneRevisions(of: ["steps/\(day)", "snapshot/\(day)"])
                .mapValues(EngineBench.change) == ["steps/\(day)": 2, "snapshot/\(day)": 2])

        before = try await bench.queued()
        try await bench.historical(.snapshot(facts, on: 42, at: "c"))
        #expect(try await bench.sums()[day] == [104, 3])
        #expect(try await newItems(before) == ["snapshot/\(day)@3", "steps/\(day)@3"])
    }

    @Test func aVanishedHourIsDeletedWithTheRevisionOfItsDay() async throws {
        let day = Fact.day(4)
        let hour = Fact.steps(50, day: 4, hour: 20)
        try await bench.historical(.snapshot(facts + [hour], on: 40, at: "a"))
        let before = try await bench.queued()
        try await bench.historical(.snapshot(facts, on: 41, at: "b"))
        #expect(try await bench.sums()[day] == [104, 2])
        #expect(
            try await newItems(before) == [
                "-steps/hour/\(day)/\(day)T20:00:00Z@2", "snapshot/\(day)@2", "steps/\(day)@2",
            ])
    }

    @Test func allDaysAreDeletedAtOnce() async throws {
        try await bench.historical(.snapshot(facts, on: 40, at: "a"))
        try await bench.historical(.snapshot([], on: 41, at: "b"))
        #expect(try await bench.sums().isEmpty)
        #expect(try await bench.stores.repository.recordedDays() == nil)
        #expect(try await bench.queued().count { $0.hasPrefix("-steps/day") } == 10)
    }

    @Test func anUnchangedRunQueuesNothing() async throws {
        try await bench.historical(.snapshot(facts, on: 40, at: "a"))
        let before = try await bench.queued()
        try await bench.historical(.snapshot(facts.shuffled(), on: 41, at: "b"))
        _ = try await bench.engine.resetTracking.run(of: nil, days: nil)
        try await bench.historical(.snapshot(facts, on: 41, at: "b"))
        #expect(try await bench.queued() == before)
    }

    @Test func snapshotsFollowTheMetrics() async throws {
        let report = try await bench.historical(.snapshot(facts, on: 40, at: "a"))
        #expect(report.sync.snapshots == 10)
        let stored = try await bench.stores.repository.activitySnapshots(days: Fact.days(0, 20))
        #expect(stored.map(\.steps) == facts.map(\.value))
        #expect(stored.allSatisfy { $0.restingHeartRate == nil && $0.minutesAsleep == nil })
        var changed = facts
        changed[2].value = 5
        let next = try await bench.historical(.snapshot(changed, on: 41, at: "b"))
        #expect(next.sync.snapshots == 1)
        let snapshots = try await bench.stores.tracking.snapshots(days: Fact.days(2, 3))
        #expect(
            snapshots.map(\.record.steps) == [5, 103] && snapshots.map { EngineBench.change($0.revision) } == [2, 1])
        #expect(try await bench.historical(.snapshot(changed, on: 41, at: "b")).sync.snapshots == 0)
    }

    @Test func aNewServerIsFilledOnce() async throws {
        var bench = bench
        bench.destination = nil
        try await bench.historical(.snapshot(facts, on: 40, at: "a"))
        #expect(try await bench.queued() == [])
        bench.destination = "https://new.example.org"
        try await bench.historical(.snapshot(facts, on: 40, at: "a"))
        let queued = try await bench.queued()
        let expected = facts.indices.flatMap { ["snapshot/\(Fact.day($0))@1", "steps/\(Fact.day($0))@1"] }
        #expect(queued.sorted() == expected.sorted())
        try await bench.historical(.snapshot(facts, on: 40, at: "a"))
        #expect(try await bench.queued() == queued)
    }
}

import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite struct SleepTests {
    private let bench: EngineBench

    init() {
        var bench = EngineBench(NightHandler())
        bench.destination = "https://example.org"
        self.bench = bench
    }

    private func nights(_ bench: EngineBench? = nil) async throws -> [RevisedRecord<SleepSession>] {
        try await (bench ?? self.bench).stores.tracking.sleepSessions(days: Fact.days(-100, 100))
    }

    private static let evening = 22 * 60

    @Test func aGrowingSessionKeepsItsIDAndGetsAHigherRevision() async throws {
        let first = Fact.core(from: Self.evening, minutes: 240)
        try await bench.historical(.feed([first], at: "a"))
        let before = try #require(try await nights().first)
        // Late data at the end, then before the beginning, from which the id was derived.
        for (revision, late) in [
            (2, Fact.core(from: Self.evening + 250, minutes: 200)), (3, .core(from: Self.evening - 30, minutes: 20)),
        ] {
            try await bench.historical(.feed([late], at: "late \(revision)"))
            let after = try await nights()
            #expect(
                after.map(\.sourceID) == [before.sourceID]
                    && after.map { EngineBench.change($0.revision) } == [revision])
            #expect(try await bench.queued().contains("\(before.sourceID)@\(revision)"))
        }
        #expect(try await nights().first?.record.interval.milliseconds == 480 * 60_000)
    }

    @Test func aVanishedSessionBecomesATombstoneThatARestoredOneSupersedes() async throws {
        let night = Fact.core(from: Self.evening, minutes: 240)
        let nap = Fact.core(from: 15 * 60, minutes: 30)
        try await bench.historical(.snapshot([night, nap], on: 40, at: "a"))
        let before = try await nights()
        let id = try #require(before.first { $0.record.role == .nap }?.sourceID)
        try await bench.historical(.snapshot([night], on: 41, at: "b"))
        #expect(try await nights().map(\.sourceID) == before.map(\.sourceID).filter { $0 != id })
        #expect(try await bench.queued().contains("-\(id)@2"))
        try await bench.historical(.snapshot([night, nap], on: 42, at: "c"))
        #expect(try await nights().first { $0.sourceID == id }.map { EngineBench.change($0.revision) } == 3)
    }

    @Test func aNewSoftwareVersionKeepsTheSession() async throws {
        let updated = SampleOrigin(sourceName: "Watch", device: "name:Apple Watch, software:10.2")
        try await bench.historical(.snapshot([.core(from: Self.evening, minutes: 240)], on: 40, at: "a"))
        let before = try await nights().map(\.sourceID)
        let late = Fact.core(from: Self.evening + 240, minutes: 60, origin: updated)
        try await bench.historical(.feed([late]))
        #expect(try await nights().map(\.sourceID) == before)
    }

    @Test func minutesAsleepAreInTheSnapshot() async throws {
        try await bench.historical(.snapshot([.core(from: Self.evening, minutes: 240)], on: 40))
        let snapshots = try await bench.stores.repository.activitySnapshots(days: Fact.days(-2, 5))
        #expect(snapshots.map(\.day) == [Fact.day(1)] && snapshots.map(\.minutesAsleep) == [240])
    }

    /// Returns sleep with naps, gaps near the limit and chains that last for days.
    private static func facts(_ random: inout SeededRandom) -> [Fact] {
        var facts: [Fact] = []
        for origin in [Fact.watch, Fact.phone] {
            var minute = 0
            while minute < 24 * 1_440 {
                let length = Int.random(in: 5...300, using: &random)
                facts.append(.core(from: minute, minutes: length, origin: origin))
                let isLong = Int.random(in: 0..<12, using: &random) == 0
                minute += length + Int.random(in: isLong ? 61...900 : 0...60, using: &random)
            }
        }
        return facts
    }

    @Test(arguments: Seeds.range(UInt64(25))) func anyPartitionOfTheDaysGivesTheSameResult(_ seed: UInt64) async throws
    {
        var random = SeededRandom(seed: seed)
        let facts = Self.facts(&random)
        let whole = EngineBench(NightHandler())
        try await whole.importSources(.snapshot(facts, on: 40), types: [.sleepAnalysis])
        try await whole.derive(Fact.days(-2, 28))
        let expected = try await nights(whole)
        #expect(expected.count > 5)

        let parts = EngineBench(NightHandler())
        try await parts.importSources(.snapshot(facts, on: 40), types: [.sleepAnalysis])
        var runs: [DayRange] = []
        var first = -2
        while first <= 28 {
            let last = min(28, first + Int.random(in: 0...6, using: &random))
            runs.append(Fact.days(first, last))
            first = last + 1
        }
        for run in runs.shuffled(using: &random) { try await parts.derive(run) }
        #expect(try await nights(parts) == expected)
    }
}

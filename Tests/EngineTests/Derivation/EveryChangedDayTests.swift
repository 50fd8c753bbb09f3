import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// An unlimited run derives every changed day, and compares none if nothing changed.
@Suite struct EveryChangedDayTests {
    private static let all = Fact.days(-10, 60)

    /// Exports that grow, arrive late, are corrected and lack deleted samples.
    private struct Exports {
        var chance: SplitMix
        var facts: [(since: Int, fact: Fact)] = []

        init(seed: UInt64) {
            chance = SplitMix(seed: seed)
            for day in 0..<40 {
                let late = Int(chance.next() % 10) == 0 ? Int(chance.next() % 20) : 0
                facts.append((day + late, .steps(Double(chance.next() % 900 + 1), day: day)))
                facts.append((day + late, .core(from: day * 1_440 + 1_380, minutes: 300)))
            }
        }

        mutating func next(on day: Int) -> [Fact] {
            let place = Int(chance.next() % UInt64(facts.count))
            if facts[place].fact.type.type == SampleTypeDefinition.stepCount.type { facts[place].fact.value += 1 }
            if day >= 14, chance.next() % 3 == 0 { facts.remove(at: Int(chance.next() % UInt64(facts.count))) }
            return facts.filter { $0.since <= day }.map(\.fact)
        }
    }

    private struct SplitMix {
        var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return (z ^ (z >> 31)) >> 11
        }
    }

    private struct Records: Equatable {
        var progress: [DailyProgress]
        var sleep: [SleepSession]
        var snapshots: [ActivitySnapshot]
    }

    private func records(_ bench: EngineBench) async throws -> Records {
        Records(
            progress: try await bench.stores.repository.progress(of: nil, days: Self.all),
            sleep: try await bench.stores.repository.sleep(days: Self.all),
            snapshots: try await bench.stores.repository.activitySnapshots(days: Self.all))
    }

    private func fresh(_ facts: [Fact]) async throws -> Records {
        let bench = EngineBench(ProbeHandler(), NightHandler())
        try await bench.historical(.snapshot(facts, on: 45))
        return try await records(bench)
    }

    @Test(arguments: Seeds.range(UInt64(40)))
    func growingExportsEqualOneHistoricalRun(seed: UInt64) async throws {
        let bench = EngineBench(ProbeHandler(), NightHandler())
        var exports = Exports(seed: seed)
        let gap = [1, 2, 7, 8, 9, 14][Int(seed % 6)]
        for day in stride(from: gap, through: 42, by: gap) {
            let facts = exports.next(on: day)
            var bounded: RunReport?
            if seed % 3 == 0 { bounded = try await bench.run(.daily(lookBackDays: 20), .snapshot(facts, on: day)) }
            let known = try await bench.engine.outOfDate.run()
            if let bounded { #expect(bounded.outOfDate == known) }
            let report = try await bench.run(.daily(lookBackDays: nil), .snapshot(facts, on: day))
            #expect(report.outOfDate.count == 0)
            #expect(try await bench.engine.outOfDate.run().count == 0)
            #expect(try await records(bench) == fresh(facts), "day \(day)")
        }
    }

    @Test func nothingIsComparedWhenNothingChanged() async throws {
        let probe = ProbeHandler()
        let bench = EngineBench(probe)
        try await bench.run(.daily(lookBackDays: nil), .snapshot((0..<30).map { .steps(100, day: $0) }, on: 40))
        #expect(try await bench.stores.tracking.completeRules(of: .metric(.steps)) != nil)
        // A metric without pages is not compared: its completeness mark is sufficient.
        try await bench.stores.tracking.commit(SyncCommit(metric: .steps))
        #expect(try await bench.run(.daily(lookBackDays: nil)).sync.outcomes == [.steps: .nothingNew])
        #expect(try await bench.engine.resetTracking.run(of: .steps, days: Fact.days(3, 4)) == 2)
        #expect(try await bench.engine.outOfDate.run().extent == Fact.days(3, 4))
        _ = probe.takeDerivedDays()
        try await bench.run(.daily(lookBackDays: nil))
        #expect(probe.takeDerivedDays() == [Fact.days(3, 4)])
    }

    @Test func theNextRunCompletesOneThatDiedAtAnyChange() async throws {
        let facts = (0..<30).flatMap {
            [Fact.steps(Double(100 + $0), day: $0), .core(from: $0 * 1_440 + 1_380, minutes: 300)]
        }
        var later = facts
        later[10].value = 7
        later.removeLast(2)
        let expected = try await fresh(later)
        for fatal in stride(from: 0, to: 9, by: Seeds.count(few: 4, some: 1, many: 1)) {
            for afterCommit in [true, false] {
                var bench = EngineBench(ProbeHandler(), NightHandler())
                try await bench.run(.daily(lookBackDays: nil), .snapshot(facts, on: 40))
                bench.tracking = DyingTracking(bench.stores.tracking, fatal: fatal, afterCommit: afterCommit)
                _ = try? await bench.run(.daily(lookBackDays: nil), .snapshot(later, on: 41))
                bench.tracking = nil
                try await bench.run(.daily(lookBackDays: nil), .snapshot(later, on: 41))
                #expect(try await records(bench) == expected, "\(fatal) \(afterCommit)")
                #expect(try await bench.engine.outOfDate.run().count == 0)
            }
        }
    }

    @Test func aNightFollowsAChainContinuedDaysLater() async throws {
        // Fifty hours without a gap, then the hours that continue them, three days after the night began.
        let chain = (0..<50).map { Fact.core(from: 1_380 + $0 * 60, minutes: 60) }
        let longer = chain + (50..<60).map { Fact.core(from: 1_380 + $0 * 60, minutes: 60) }
        for (before, after) in [(chain, longer), (longer, chain)] {
            let bench = EngineBench(NightHandler())
            try await bench.run(.daily(lookBackDays: nil), .snapshot(before, on: 40))
            try await bench.historical(.snapshot(after, on: 41))
            let expected = EngineBench(NightHandler())
            try await expected.historical(.snapshot(after, on: 41))
            #expect(try await records(bench) == records(expected))
        }
    }

    @Test func aFailingMetricLeavesItsDaysOutOfDate() async throws {
        let failing = ProbeHandler(failing: SyncFailure(.unexpected, subject: "steps", reason: "no", advice: ""))
        var bench = EngineBench(failing)
        let facts = (0..<5).map { Fact.steps(100, day: $0) }
        let report = try await bench.run(.daily(lookBackDays: nil), .snapshot(facts, on: 40))
        #expect(report.outOfDate.count >= 5)
        bench.handlers = [ProbeHandler()]
        #expect(try await bench.run(.daily(lookBackDays: nil)).outOfDate.count == 0)
        #expect(try await bench.sums().count == 5)
    }
}

import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Whatever ends a run with another clock at any time, the result of the next run equals that of an undisturbed
/// database.
@Suite struct DayCountingTests {
    /// Two clocks, and a run with the second over days derived with the first.
    struct Change: CustomTestStringConvertible {
        var testDescription: String
        var before: DayClock
        var after: DayClock
        var coverage: RunScope

        static let all: [Change] = [
            Change(
                testDescription: "another zone", before: .tokyo, after: .losAngeles,
                coverage: .historical(from: nil, to: nil)),
            Change(
                testDescription: "a stay of this week", before: .tokyo,
                after: DayClock(home: .tokyo, residences: [.init(firstDay: Fact.day(15), rules: .losAngeles)]),
                coverage: .daily(lookBackDays: 38)),
        ]
    }

    // Two hours a day that are on different days in Tokyo and Los Angeles, and far enough apart to be derived in
    // several transactions.
    private let facts = [-60, -40, -20, 0, 10, 14, 16, 18].flatMap { day in
        [Fact.steps(Double(100 + day), day: day, hour: 4), .steps(7, day: day, hour: 18)]
    }

    private func bench(_ clock: DayClock, failing failure: (any Error)? = nil) -> EngineBench {
        var bench = EngineBench(ProbeHandler(), ProbeHandler(.walkingDistance, failing: failure))
        bench.clock = clock
        return bench
    }

    private func undisturbed(_ clock: DayClock) async throws -> [[CalendarDay: Double]] {
        let bench = bench(clock)
        try await bench.historical(.snapshot(facts, on: 30))
        return try await figures(bench)
    }

    private func figures(_ bench: EngineBench) async throws -> [[CalendarDay: Double]] {
        [
            try await bench.sums(.steps).mapValues { $0[0] },
            try await bench.sums(.walkingDistance).mapValues { $0[0] },
            Dictionary(
                uniqueKeysWithValues: try await bench.stores.tracking.snapshots(days: Fact.days(-400, 400))
                    .map { ($0.record.day, $0.record.steps ?? -1) }),
        ]
    }

    /// Returns the clock of a run without a configured zone.
    private func remembered(_ bench: EngineBench) async throws -> DayClock {
        let zones = try #require(try await bench.stores.tracking.storedDayZones()).zones
        return try #require(zones.clock(bench.time.zoneRules))
    }

    private func expectConsistent(_ bench: EngineBench, by clock: DayClock) async throws {
        #expect(
            try await bench.stores.tracking.storedDayZones() == StoredDayZones(zones: DayZones(clock), isWhole: true))
        #expect(try await figures(bench) == undisturbed(clock))
    }

    @Test(arguments: [MemorySource.Content.missing, .foreign, .entries([])])
    func aRunThatFailsDuringTheImportKeepsTheZone(_ content: MemorySource.Content) async throws {
        var bench = bench(.tokyo)
        try await bench.historical(.snapshot(facts, on: 30))
        bench.clock = .losAngeles
        await #expect(throws: SyncFailure.self) {
            try await bench.run(
                .historical(from: nil, to: nil), MemorySource(location: "b", exportDay: 31, content: content))
        }
        try await expectConsistent(bench, by: .tokyo)
        bench.clock = .tokyo
        try await bench.run(.daily(lookBackDays: 8), .snapshot(facts, on: 32, at: "c"))
        try await expectConsistent(bench, by: .tokyo)
    }

    @Test func aRunCancelledDuringTheImportKeepsTheZone() async throws {
        var bench = bench(.tokyo)
        try await bench.historical(.snapshot(facts, on: 30))
        bench.clock = .losAngeles
        let (cancelled, facts) = (bench, facts)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await cancelled.historical(.snapshot(facts, on: 31, at: "b"))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        try await expectConsistent(bench, by: .tokyo)
    }

    @Test func aFirstRunThatFailsDuringTheImportStoresNoZone() async throws {
        let bench = bench(.tokyo)
        await #expect(throws: SyncFailure.self) {
            try await bench.historical(MemorySource(location: "a", content: .missing))
        }
        #expect(try await bench.stores.tracking.storedDayZones() == nil)
    }

    @Test(arguments: Change.all, [false, true])
    func afterAKillAtAnyChangeTheNextRunDerivesAllDaysInOneZone(_ change: Change, _ afterCommit: Bool) async throws {
        let coverages: [RunScope] = [
            .daily(lookBackDays: 1), .historical(from: nil, to: nil), .historical(from: Fact.day(12), to: nil),
        ]
        for coverage in coverages {
            var deaths = 0
            while try await !survives(death: deaths, afterCommit: afterCommit, change, next: coverage) {
                deaths += Seeds.count(few: 3, some: 1, many: 1)
            }
            #expect(deaths >= 5)
        }
    }

    /// Returns whether the run with the second clock ended before change number `death`.
    private func survives(
        death: Int, afterCommit: Bool, _ change: Change, next: RunScope
    ) async throws -> Bool {
        var bench = bench(change.before)
        try await bench.historical(.snapshot(facts, on: 30))
        let tracking = DyingTracking(bench.stores.tracking, fatal: death, afterCommit: afterCommit)
        bench.tracking = tracking
        bench.clock = change.after
        _ = try? await bench.run(change.coverage, .snapshot(facts, on: 30))
        bench.tracking = nil
        bench.clock = try await remembered(bench)
        try await bench.run(next)
        try await expectConsistent(bench, by: bench.clock)
        return !tracking.isDead
    }

    @Test func afterAKilledRunANamedZoneDerivesAllDaysAgain() async throws {
        for death in 2...5 {
            var bench = bench(.tokyo)
            try await bench.historical(.snapshot(facts, on: 30))
            bench.tracking = DyingTracking(bench.stores.tracking, fatal: death, afterCommit: false)
            bench.clock = .losAngeles
            _ = try? await bench.historical()
            bench.tracking = nil
            bench.clock = .tokyo
            let report = try await bench.run(.daily(lookBackDays: 1))
            #expect(report.days?.contains(Fact.day(-60)) == true)
            try await expectConsistent(bench, by: .tokyo)
        }
    }

    @Test(arguments: Change.all)
    func aFailedMetricIsDerivedByTheNextRun(_ change: Change) async throws {
        var bench = bench(change.before)
        try await bench.historical(.snapshot(facts, on: 30))
        bench.clock = change.after
        let handlers = bench.handlers
        let failure = SyncFailure(.badInput, subject: "pages", reason: "damaged", advice: "look")
        bench.handlers[1] = ProbeHandler(.walkingDistance, failing: failure)
        try await bench.run(change.coverage)
        #expect(try await bench.stores.tracking.storedDayZones()?.isWhole == false)
        bench.handlers = handlers
        try await bench.run(.daily(lookBackDays: 1))
        try await expectConsistent(bench, by: change.after)
        // From then on a daily run covers only its own days again.
        let report = try await bench.run(.daily(lookBackDays: 1))
        #expect(report.days == DayRange(bench.clock.day(of: bench.time.now())).widened(before: 1, after: 0))
    }

    @Test func aRejectionNamesTheOptionsThatKeepTheZone() async throws {
        let abroad = DayClock(home: .tokyo, residences: [.init(firstDay: Fact.day(-50), rules: .losAngeles)])
        for (clock, advice) in [
            (DayClock.losAngeles, "keep them as they are with `healthsync historical --zone Asia/Tokyo --save`"),
            (abroad, "keep them as they are with the \"timeZones\" that the configuration had before"),
            (
                DayClock(home: .losAngeles, residences: abroad.residences),
                "--zone Asia/Tokyo --save` and the \"timeZones\""
            ),
        ] {
            var bench = bench(.tokyo)
            try await bench.historical(.snapshot(facts, on: 30))
            bench.clock = clock
            let asked = bench
            let failure = await #expect(throws: SyncFailure.self) { try await asked.run(.daily(lookBackDays: 1)) }
            #expect(failure?.code == .configuration && failure?.advice.contains(advice) == true)
            try await expectConsistent(bench, by: .tokyo)
        }
    }
}

extension DayClock {
    fileprivate static let tokyo = DayClock(home: .tokyo)
    fileprivate static let losAngeles = DayClock(home: .losAngeles)
}

extension ZoneRules {
    fileprivate static let tokyo = named("Asia/Tokyo")
    fileprivate static let losAngeles = named("America/Los_Angeles")

    private static func named(_ identifier: String) -> ZoneRules { (try? ZoneRules(identifier: identifier)) ?? .utc }
}

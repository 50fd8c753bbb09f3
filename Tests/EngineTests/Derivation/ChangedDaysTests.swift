import HealthSyncDomain
import HealthSyncEngine
import HealthSyncTestKit
import Testing

@Suite struct ChangedDaysTests {
    private let probe = ProbeHandler()
    private let month = (0..<30).map { Fact.steps(Double(100 + $0), day: $0) }

    private func bench() -> EngineBench { EngineBench(probe) }

    private func derivedDayList() -> [CalendarDay] { probe.takeDerivedDays().flatMap { Array($0) } }

    @Test func unchangedDaysAreNotDerived() async throws {
        let bench = bench()
        let first = try await bench.historical(.snapshot(month, on: 40))
        #expect(first.sync.outcomes[.steps].map { "\($0)" }?.contains("records: 30") == true)
        #expect(derivedDayList().count >= 30)
        let again = try await bench.historical(.snapshot(month, on: 41, at: "again"))
        #expect(again.sync.outcomes == [.steps: .nothingNew])
        #expect(derivedDayList().isEmpty)
        #expect(try await bench.sums()[Fact.day(3)] == [103, 1])
    }

    @Test func oneChangedSampleDerivesOnlyTheDaysInReach() async throws {
        let bench = bench()
        try await bench.historical(.snapshot(month, on: 40))
        _ = derivedDayList()
        var changed = month
        changed[15].value = 999
        let report = try await bench.historical(.snapshot(changed, on: 41, at: "b"))
        let asked = derivedDayList()
        #expect(asked.contains(Fact.day(15)) && asked.allSatisfy { Fact.days(13, 17).contains($0) })
        #expect(report.sync.outcomes[.steps] == .synced(days: asked.count, records: 1))
        #expect(try await bench.sums()[Fact.day(15)] == [999, 2])
        #expect(try await bench.sums()[Fact.day(14)] == [114, 1])
    }

    @Test func theSameFiguresFromAnotherOriginAreAChange() async throws {
        let bench = bench()
        try await bench.historical(.snapshot(month, on: 40))
        let renamed = month.map { fact in
            var fact = fact
            fact.origin = SampleOrigin(sourceName: "New iPhone")
            return fact
        }
        try await bench.historical(.snapshot(renamed, on: 41, at: "b"))
        let records = try await bench.stores.repository.progress(of: .steps, days: Fact.days(0, 29))
        #expect(records.count == 30 && records.allSatisfy { $0.origins.map(\.sourceName) == ["New iPhone"] })
    }

    @Test func aDayWithoutSamplesIsUntrackedOnce() async throws {
        let bench = bench()
        try await bench.historical(.snapshot(month, on: 40))
        try await bench.historical(.snapshot(Array(month.prefix(20)), on: 41, at: "b"))
        _ = derivedDayList()
        let again = try await bench.historical(
            .snapshot(Array(month.prefix(20)), on: 42, at: "c"), days: Fact.days(0, 40))
        #expect(again.sync.outcomes == [.steps: .nothingNew])
        #expect(derivedDayList().isEmpty)
    }

    @Test func forceDerivesEverythingAndChangesNothing() async throws {
        let bench = bench()
        try await bench.historical(.snapshot(month, on: 40))
        let before = try await bench.sums()
        _ = derivedDayList()
        try await bench.historical(.snapshot(month, on: 40), force: true)
        #expect(Set(derivedDayList()).isSuperset(of: Fact.days(0, 29)))
        // The same figures get a new revision for each day, so that a server accepts them regardless of its state.
        #expect(try await bench.sums() == before.mapValues { [$0[0], $0[1] + 1] })
    }

    @Test func resetTrackingDerivesEverythingAndChangesNothing() async throws {
        let bench = bench()
        try await bench.historical(.snapshot(month, on: 40))
        let before = try await bench.sums()
        let asked = derivedDayList().count
        #expect(try await bench.engine.resetTracking.run(of: .heartRate, days: nil) == 0)
        #expect(try await bench.engine.resetTracking.run(of: .steps, days: nil) >= 30)
        let report = try await bench.historical(.snapshot(month, on: 40))
        #expect(derivedDayList().count <= asked)
        guard case .synced(let days, records: 0) = report.sync.outcomes[.steps] else {
            Issue.record("\(report.sync.outcomes)")
            return
        }
        #expect(days >= 30)
        #expect(try await bench.sums() == before)
    }

    @Test func anotherZoneDerivesAgain() async throws {
        var bench = bench()
        let late = (0..<5).map { Fact.steps(10, day: $0, hour: 22) }
        try await bench.historical(.snapshot(late, on: 40))
        #expect(try await bench.sums()[Fact.day(0)] == [10, 1])
        bench.clock = DayClock(home: try ZoneRules(identifier: "Asia/Tokyo"))
        try await bench.historical(.snapshot(late, on: 40))
        #expect(try await bench.sums()[Fact.day(0)] == nil)
        #expect(try await bench.sums()[Fact.day(5)] == [10, 1])
        let records = try await bench.stores.repository.progress(of: .steps, days: Fact.days(0, 9))
        #expect(records.count == 5 && records.allSatisfy { $0.start == bench.clock.start(of: $0.day) })
    }

    @Test func anotherVersionOrOrderOfOriginsDerivesAgain() async throws {
        var bench = bench()
        try await bench.historical(.snapshot(month, on: 40))
        _ = derivedDayList()
        bench.priority = OriginPriority(preferredNames: ["iPhone"])
        try await bench.historical(.snapshot(month, on: 40))
        #expect(Set(derivedDayList()).isSuperset(of: Fact.days(0, 29)))
        let next = ProbeHandler(version: 2)
        bench.handlers = [next]
        try await bench.historical(.snapshot(month, on: 40))
        #expect(Set(next.takeDerivedDays().flatMap { Array($0) }).isSuperset(of: Fact.days(0, 29)))
    }

    @Test func daysWithoutDataAreNotOutOfDate() async throws {
        let bench = bench()
        try await bench.historical(.snapshot(month, on: 40))
        _ = try await bench.engine.resetTracking.run(of: .steps, days: Fact.days(-9, 40))
        let outOfDate = try await bench.engine.outOfDate.run()
        #expect(outOfDate.extent == Fact.days(0, 29) && outOfDate.count == 30)
        let report = try await bench.run(.historical(from: Fact.day(20), to: nil), .snapshot(month, on: 40, at: "b"))
        #expect(report.outOfDate.extent == Fact.days(0, 19))
    }

    @Test func aSampleOfTwoProvidersCountsOnce() async throws {
        let bench = bench()
        try await bench.historical(.snapshot(month, on: 40), .feed(Array(month[3...5])))
        #expect(try await bench.sums()[Fact.day(4)] == [104, 1])
        #expect(try await bench.sums().count == 30)
    }

    @Test func dailyLooksBackAsFarAsRequested() async throws {
        let bench = bench()
        try await bench.importSources(.snapshot(month, on: 40))
        var options = Sync.Options()
        options.userProfileID = EngineBench.person
        // The clock is at the beginning of day 50; the days after the last record are left out.
        let report = try await bench.engine.sync.run(.daily(lookBackDays: 30), sources: [], options: options)
        #expect(report.days == Fact.days(20, 29))
        #expect(try await Set(bench.sums().keys) == Set(Fact.days(20, 29)))
    }
}

import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Testing

/// The raw samples sent when sources change.
@Suite struct RawDeliveryTests {
    private let life = (0..<12).flatMap { day in
        (0..<6).map { Fact.steps(Double(200 + day * 10 + $0), day: day, hour: 6 + $0) }
    }

    @Test func everySampleArrivesOnceAndItsIntervalIsSynced() async throws {
        let bench = LayeringBench()
        let report = try await bench.sync(.snapshot(life, on: 13))
        #expect(bench.server.alive == LayeringBench.ids(life))
        #expect(bench.server.sent.count == life.count)
        #expect(try await bench.isAllSynced())
        #expect(try await bench.states().count > 10)
        let samples = try #require(report.delivery?.samples)
        #expect(samples.created == life.count && samples.answered == life.count)
    }

    @Test func anUnchangedExportSendsNothing() async throws {
        let bench = LayeringBench()
        try await bench.sync(.snapshot(life, on: 13))
        bench.server.forgetWhatCame()
        try await bench.sync(.snapshot(life, on: 14, at: "again"))
        #expect(bench.server.sent.isEmpty && bench.server.deleted.isEmpty)
    }

    @Test func aSampleThatIsSentAfterAnInterruptedImportCanStillBeDeleted() async throws {
        let bench = LayeringBench()
        try await bench.sync(.snapshot(life, on: 13), pushes: false)
        // In an interval that is waiting.
        let added = Fact.steps(33, day: 3, hour: 9)
        // The run ends before it divides the samples into intervals.
        _ = try await SourceImport(
            store: bench.stores.pages, hasher: PlainHasher(), time: bench.time, clock: DayClock(home: .utc),
            progress: SilentLog(), log: SilentLog()
        ).importSources(
            [MemorySource.snapshot(life + [added], on: 14, at: "newer")],
            selection: SampleSelection(types: [.stepCount], includesOtherTypes: false), allowDeletions: false,
            force: false)
        _ = try await bench.engine.push.run(deadlineSeconds: 3_600)
        #expect(bench.server.alive == LayeringBench.ids(life + [added]))
        try await bench.sync(.snapshot(life, on: 15, at: "newest"))
        #expect(bench.server.alive == LayeringBench.ids(life))
        #expect(try await bench.isAllSynced())
    }

    @Test func aNewerExportSendsOnlyNewAndDeletedSamples() async throws {
        let bench = LayeringBench()
        try await bench.sync(.snapshot(life, on: 13))
        bench.server.forgetWhatCame()
        let added = [Fact.steps(33, day: 3, hour: 20), Fact.steps(44, day: 13)]
        let gone = [life[7], life[30]]
        let now = life.filter { !gone.contains($0) } + added
        try await bench.sync(.snapshot(now, on: 14, at: "newer"))
        #expect(Set(bench.server.sent) == LayeringBench.ids(added) && bench.server.sent.count == 2)
        #expect(Set(bench.server.deleted) == LayeringBench.ids(gone))
        #expect(bench.server.alive == LayeringBench.ids(now))
        #expect(try await bench.isAllSynced())
    }

    @Test func aRestoredSampleSupersedesItsDeletion() async throws {
        let bench = LayeringBench()
        try await bench.sync(.snapshot(life, on: 13))
        for round in 0..<3 {
            try await bench.sync(.snapshot(Array(life.dropFirst()), on: 14 + round * 2, at: "without \(round)"))
            #expect(bench.server.alive == LayeringBench.ids(Array(life.dropFirst())))
            try await bench.sync(.snapshot(life, on: 15 + round * 2, at: "with \(round)"))
            #expect(bench.server.alive == LayeringBench.ids(life))
        }
    }

    @Test func changesWithoutAServerAreSentLater() async throws {
        let bench = LayeringBench()
        try await bench.sync(.snapshot(life, on: 13))
        try await bench.sync(.snapshot(Array(life.dropLast(3)), on: 14, at: "b"), pushes: false)
        let last = Array(life.dropLast(4)) + [Fact.steps(5, day: 2, hour: 22)]
        try await bench.sync(.snapshot(last, on: 15, at: "c"), pushes: false)
        _ = try await bench.engine.push.run(deadlineSeconds: 60)
        #expect(bench.server.alive == LayeringBench.ids(last))
        #expect(try await bench.isAllSynced())
    }

    @Test func theSameSampleOfTwoProvidersIsSentOnce() async throws {
        let bench = LayeringBench()
        try await bench.sync(.snapshot(life, on: 13), .feed(Array(life.prefix(20))))
        #expect(bench.server.sent.count == life.count)
        bench.server.forgetWhatCame()
        // The feed still has it, so it is not deleted.
        try await bench.sync(.snapshot(Array(life.dropFirst()), on: 14, at: "without"))
        #expect(bench.server.deleted.isEmpty)
        #expect(bench.server.alive == LayeringBench.ids(life))
    }

    @Test func bucketsAggregatedByAFeedAreNotSamples() async throws {
        let bench = LayeringBench()
        let buckets = [Fact.steps(900, day: 2, hour: 7, origin: Fact.buckets, minutes: 60)]
        try await bench.sync(.snapshot(life, on: 13), .feed(buckets))
        #expect(bench.server.alive == LayeringBench.ids(life))
    }

    @Test func aNewServerGetsEverythingAndTheOldOneItsChanges() async throws {
        var bench = LayeringBench()
        try await bench.sync(.snapshot(life, on: 13))
        let first = bench.server
        bench.server = SampleServer()
        bench.destination = "https://new.example.org"
        let now = Array(life.dropFirst(2))
        try await bench.sync(.snapshot(now, on: 14, at: "newer"))
        #expect(bench.server.alive == LayeringBench.ids(now))
        #expect(bench.server.deleted.isEmpty)
        bench.server = first
        bench.destination = LayeringBench.destination
        _ = try await bench.engine.push.run(deadlineSeconds: 60)
        #expect(first.alive == LayeringBench.ids(now))
    }

    @Test func forceSendsAgain() async throws {
        let bench = LayeringBench()
        try await bench.sync(.snapshot(life, on: 13))
        let report = try await bench.sync(.snapshot(life, on: 13), force: true)
        #expect(report.delivery?.samples.duplicate == life.count)
        #expect(try await bench.isAllSynced())
    }

    @Test func onlyTheRequestedDaysAreOffered() async throws {
        let bench = LayeringBench()
        try await bench.sync(.snapshot(life, on: 13), days: Fact.days(10, 11))
        let sent = bench.server.alive
        #expect(sent.isSuperset(of: LayeringBench.ids(life.filter { $0.minute >= 10 * 1_440 })))
        #expect(sent.count < life.count / 2)
        try await bench.sync()
        #expect(bench.server.alive == LayeringBench.ids(life))
        #expect(bench.server.sent.count == life.count)
    }

    @Test func anotherLimitSendsNothingAgain() async throws {
        var bench = LayeringBench()
        try await bench.sync(.snapshot(life, on: 13))
        let before = try await bench.states().count
        bench.server.forgetWhatCame()
        bench.limits.steps = 3_000
        try await bench.sync()
        #expect(try await bench.states().count < before)
        #expect(try await bench.isAllSynced())
        #expect(bench.server.sent.isEmpty)
    }

    @Test func clearedIntervalsAreOfferedAgain() async throws {
        let bench = LayeringBench()
        try await bench.sync(.snapshot(life, on: 13))
        try await bench.sync(.snapshot(Array(life.dropLast()), on: 14, at: "newer"), pushes: false)
        let count = try await bench.states().count
        #expect(try await bench.engine.clearIntervals.run(onServer: false) == count)
        #expect(try await bench.states().isEmpty)
        try await bench.sync()
        // Earlier deletions are still sent, and existing samples are recognized.
        #expect(bench.server.alive == LayeringBench.ids(Array(life.dropLast())))
        #expect(try await bench.isAllSynced())
    }

    @Test func theDeletionOfTheLastSampleOfATypeIsSent() async throws {
        let bench = LayeringBench()
        try await bench.sync(.snapshot(life, on: 13))
        let pulse = Fact.heartRate(60, day: 0)
        try await bench.sync(.snapshot([pulse], on: 14, at: "newer"))
        #expect(bench.server.alive.isEmpty)
        #expect(Set(bench.server.deleted) == LayeringBench.ids(life))
        #expect(try await bench.states().isEmpty)
        #expect(try await bench.stores.intervals.changedPages(of: SampleTypeDefinition.stepCount.type).isEmpty)
        // And that they exist again.
        try await bench.sync(.snapshot(life, on: 15, at: "newest"))
        #expect(bench.server.alive == LayeringBench.ids(life))
        #expect(try await bench.isAllSynced())
    }

    @Test func clearingIntervalsOfATypeWithoutSamplesKeepsDeletions() async throws {
        let bench = LayeringBench()
        try await bench.sync(.snapshot(life, on: 13))
        try await bench.stores.pages.changePages { pages in
            for key in try pages.digests(provider: "memory", types: [SampleTypeDefinition.stepCount.type]).keys {
                try pages.remove(provider: "memory", at: key)
            }
        }
        _ = try await bench.engine.clearIntervals.run(onServer: false)
        _ = try await bench.engine.push.run(deadlineSeconds: 60)
        #expect(bench.server.alive.isEmpty)
    }
}

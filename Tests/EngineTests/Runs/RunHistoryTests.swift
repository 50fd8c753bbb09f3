import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Testing

/// The history entry of a run, however it ended.
@Suite struct RunHistoryTests {
    private let facts = (0..<40).map { Fact.steps(Double(100 + $0), day: $0 - 30) }

    private func last(_ bench: EngineBench) async throws -> RecordedRun {
        try #require(try await bench.engine.runs.runHistory(limit: 1).runs.first)
    }

    @Test func aSuccessfulRunRecordsItsTotals() async throws {
        let bench = EngineBench(ProbeHandler())
        let started = bench.time.now()
        let report = try await bench.historical(.snapshot(facts + facts.prefix(3), on: 40))
        let run = try await last(bench)
        let end = try #require(run.end)
        #expect(run.command == .historical && run.startedAt == started)
        // The days beside the data, which are derived too, are left out.
        #expect(run.days == Fact.days(-30, 9) && report.days == run.days)
        #expect(end.ending == .completed && end.at == bench.time.now() && end.allFailures.isEmpty)
        let reading = end.account.reading
        #expect(reading.sources == 1 && reading.unchangedSources == 0)
        #expect((reading.records, reading.stored, reading.alreadyKnown) == (43, 40, 3))
        #expect(end.account.metrics == report.sync.outcomes && end.account.snapshots == 40)
        // 40 days of steps, and their snapshots.
        #expect(end.account.changedRecords == 80)
        #expect(end.account.delivery == nil && end.account.repair == nil)
    }

    @Test func anUnchangedRunRecordsThatNothingWasRead() async throws {
        let bench = EngineBench(ProbeHandler())
        try await bench.historical(.snapshot(facts, on: 40))
        try await bench.historical(.snapshot(facts, on: 40))
        let account = try #require(try await last(bench).end?.account)
        #expect(account.reading.sources == 1 && account.reading.unchangedSources == 1 && account.reading.records == 0)
        #expect(account.metrics == [.steps: .nothingNew] && account.changedRecords == 0)
        #expect(try await bench.engine.runs.runHistory(limit: 9).runs.count == 2)
    }

    @Test func aFailedMetricIsRecorded() async throws {
        let failure = SyncFailure(
            .badInput, subject: "pages", reason: String(repeating: "ж", count: 9_000), advice: "look")
        let bench = EngineBench(ProbeHandler(), ProbeHandler(.walkingDistance, failing: failure))
        try await bench.historical(.snapshot(facts, on: 40))
        let end = try #require(try await last(bench).end)
        #expect(end.ending == .completedWithFailures && end.failures.isEmpty)
        #expect(end.allFailures.map(\.code) == [.badInput] && end.allFailures.map(\.subject) == ["pages"])
        #expect(end.allFailures.first?.reason.count == 500)
    }

    @Test func aTruncatedSourceIsRecorded() async throws {
        let bench = EngineBench(ProbeHandler())
        let cut = MemorySource(location: "cut", exportDay: 40, content: .truncated(facts.map { .sample($0) }))
        try await bench.historical(cut)
        let end = try #require(try await last(bench).end)
        #expect(end.ending == .completedWithFailures && end.account.reading.stored == 40)
        #expect(end.failures.map(\.code) == [.incompleteInput] && end.failures.map(\.subject) == ["cut"])
    }

    @Test func aFatalFailureIsRecordedWithTheWorkDoneBefore() async throws {
        var bench = EngineBench(ProbeHandler())
        try await bench.historical(.snapshot(facts, on: 40))
        await #expect(throws: SyncFailure.self) {
            try await bench.historical(MemorySource(location: "away", content: .missing))
        }
        var end = try #require(try await last(bench).end)
        #expect(end.ending == .failed && end.failures.map(\.code) == [.noInput])
        #expect(end.account.reading.records == 0)
        // The sources are imported before storing the snapshots fails.
        bench.tracking = FailingTracking(
            store: bench.stores.tracking, failing: [HealthMetric(rawValue: "activitySnapshot")])
        let more = facts + [.steps(5, day: 12)]
        await #expect(throws: SyncFailure.self) { try await bench.historical(.snapshot(more, on: 41, at: "b")) }
        end = try #require(try await last(bench).end)
        #expect(end.ending == .failed && end.failures.map(\.code) == [.storage])
        #expect(end.account.reading.records == 41 && end.account.reading.stored == 1)
    }

    @Test func onlyTheTypeOfAnUnexpectedErrorIsRecorded() async throws {
        struct Measured: Error { let weight = "71.3 kg" }
        let bench = EngineBench(ProbeHandler(), ProbeHandler(.walkingDistance, failing: Measured()))
        try await bench.historical(.snapshot(facts, on: 40))
        let ofMetric = try #require(try await last(bench).end?.allFailures.first)
        #expect(ofMetric.code == .unexpected && ofMetric.reason == "Measured")
        await bench.engine.unstartedSync.run(.daily(), because: Measured())
        let ofRun = try #require(try await last(bench).end?.failures.first)
        #expect(ofRun.code == .unexpected && ofRun.description.contains("Measured"))
        #expect(!ofRun.description.contains("71.3"))
    }

    @Test func aRunStoppedByTheUserIsCancelled() async throws {
        let bench = EngineBench(ProbeHandler())
        let facts = facts
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await bench.historical(.snapshot(facts, on: 40))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        let end = try #require(try await last(bench).end)
        #expect(end.ending == .cancelled && end.failures.isEmpty)
    }

    @Test func aDeliveryIsRecorded() async throws {
        let bench = LayeringBench()
        try await bench.sync(.snapshot(facts, on: 40), pushes: false)
        #expect(try await bench.stores.runs.lastRuns(limit: 1).first?.end?.account.delivery == nil)
        let report = try #require(try await bench.engine.push.run(deadlineSeconds: 60)?.delivery)
        let runs = try await bench.stores.runs.lastRuns(limit: 9)
        #expect(runs.map(\.command) == [.push, .historical])
        let delivery = try #require(runs.first?.end?.account.delivery)
        let records = report.delivered - report.slices
        #expect(delivery.delivered == records && delivery.samples == 40 && delivery.left == 0)
        #expect(runs.first?.end?.ending == .completed)
        // A pause that the user chose is not a failure of the run, and a delivery within a run is not a run of its own.
        try bench.hold.set()
        try await bench.sync(.snapshot(facts + [.steps(5, day: 12)], on: 41, at: "b"))
        let held = try #require(try await bench.stores.runs.lastRuns(limit: 1).first?.end)
        #expect(held.ending == .held && held.allFailures.isEmpty)
        #expect(held.account.delivery?.left == 1)
        #expect(try await bench.stores.runs.lastRuns(limit: 9).count == 3)
        // Another failure of such a run is one.
        let cut = MemorySource(
            location: "cut", exportDay: 42, content: .truncated([Fact.steps(7, day: 13)].map { .sample($0) }))
        try await bench.sync(cut)
        let failed = try #require(try await bench.stores.runs.lastRuns(limit: 1).first?.end)
        #expect(failed.ending == .completedWithFailures && failed.failures.map(\.code) == [.incompleteInput])
    }

    @Test("A delivery that a pause holds states its beginning, and asks for `resume`")
    func aHeldDelivery() async throws {
        let bench = LayeringBench()
        try bench.hold.set()
        let report = try #require(try await bench.sync(.snapshot(facts, on: 40)).delivery)
        #expect(report.ending == .held && report.heldSince == bench.hold.since())
        let failure = try #require(report.failure)
        #expect(failure.reason.hasPrefix("held by your pause since 2024-03-15 at 13:45 UTC, "))
        #expect(failure.reason.hasSuffix("items wait") && failure.advice == "run `healthsync resume` to continue")
    }

    @Test func failuresOfTheHistoryDoNotAffectTheRun() async throws {
        for fails in [FailingRuns(failsToBegin: true), FailingRuns(failsToBegin: false)] {
            var bench = EngineBench(ProbeHandler())
            bench.runs = fails
            let report = try await bench.historical(.snapshot(facts, on: 40))
            #expect(report.sync.outcomes[.steps] == .synced(days: 43, records: 40))
            #expect(try await bench.sums().count == 40)
        }
    }

    @Test func aRunWithoutAnEndIsActiveOnlyWhileItsProcessExists() async throws {
        let bench = EngineBench(ProbeHandler())
        let (store, watch, engine) = (bench.stores.runs, bench.stores.runWatch, bench.engine)
        let started = bench.time.now()
        let id = try await store.begin(.historical, at: started, days: nil, keeping: 10)
        #expect(try await engine.runs.runHistory(limit: 5).over.map(\.end) == [.cutOff])
        let progress = RunProgress(
            updatedAt: started, phases: [RunProgress.Phase(name: "reading", done: 1, total: 2)])
        watch.set(ActiveRun(since: started.advanced(byMilliseconds: -5), progress: progress))
        var history = try await engine.runs.runHistory(limit: 5)
        #expect(history.current?.id == id && history.over.isEmpty && history.progress == progress)
        // Another process locked the folder since then.
        watch.set(ActiveRun(since: started.advanced(byMilliseconds: 1), progress: progress))
        history = try await engine.runs.runHistory(limit: 5)
        #expect(history.current == nil && history.over.map(\.end) == [.cutOff] && history.progress == nil)
        // Reading changed nothing: the process of the run can still record its end.
        let end = RunEnd(at: started, ending: .completed)
        try await store.end(id, end, days: nil)
        #expect(try await engine.runs.runHistory(limit: 5).over.map(\.end) == [end])
    }

    @Test func aRunThatEndsDuringTheQueryIsNotCutOff() async throws {
        var bench = EngineBench(ProbeHandler())
        let store = bench.stores.runs
        let id = try await store.begin(.daily, at: bench.time.now(), days: nil, keeping: 10)
        let end = RunEnd(at: bench.time.now(), ending: .completed)
        bench.runs = EndingRuns(store: store, id: id, end: end)
        #expect(try await bench.engine.runs.runHistory(limit: 5).over.map(\.end) == [end])
    }

    @Test func aRunThatCouldNotBeginIsRecorded() async throws {
        let bench = EngineBench(ProbeHandler())
        await bench.engine.unstartedSync.run(
            .historical(from: Fact.day(1), to: Fact.day(2)), because: SyncFailure.noSource)
        let run = try await last(bench)
        #expect(run.command == .historical && run.days == Fact.days(1, 2))
        #expect(run.end?.ending == .failed && run.end?.failures == [SyncFailure.noSource])
    }
}

extension SyncFailure {
    fileprivate static let noSource = SyncFailure(.noInput, subject: "x.zip", reason: "is not there", advice: "look")
}

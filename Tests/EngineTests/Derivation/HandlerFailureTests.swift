import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite struct HandlerFailureTests {
    private struct Surprise: Error {}

    private let facts = (0..<400).map { Fact.steps(Double(100 + $0), day: $0 - 380) }

    private func bench(failing failure: any Error) -> EngineBench {
        EngineBench(ProbeHandler(), ProbeHandler(.walkingDistance, failing: failure), ProbeHandler(.exerciseMinutes))
    }

    private func failed(_ outcome: SyncOutcome?) -> SyncFailure? {
        if case .failed(let failure) = outcome { failure } else { nil }
    }

    @Test func aThrowingHandlerDoesNotStopTheOthers() async throws {
        let bench = bench(failing: Surprise())
        let report = try await bench.historical(.snapshot(facts, on: 40))
        #expect(failed(report.sync.outcomes[.walkingDistance])?.code == .unexpected)
        #expect(report.sync.failures.map(\.metric) == [.walkingDistance])
        #expect(try await bench.sums(.steps).count == 400)
        #expect(try await bench.sums(.exerciseMinutes).count == 400)
        #expect(try await bench.sums(.walkingDistance).isEmpty)
        #expect(report.sync.snapshots == 400)
    }

    @Test func aFailureIsReportedUnchanged() async throws {
        let failure = SyncFailure(.badInput, subject: "pages", reason: "damaged", advice: "look")
        let report = try await bench(failing: failure).historical(.snapshot(facts, on: 40))
        #expect(report.sync.outcomes[.walkingDistance] == .failed(failure))
    }

    @Test func aCancelledHandlerDoesNotStopTheOthers() async throws {
        let report = try await bench(failing: CancellationError()).historical(.snapshot(facts, on: 40))
        #expect(failed(report.sync.outcomes[.walkingDistance])?.code == .cancelled)
        #expect(failed(report.sync.outcomes[.steps]) == nil && failed(report.sync.outcomes[.exerciseMinutes]) == nil)
    }

    @Test func aFailedHandlerContinuesInTheNextRun() async throws {
        var bench = bench(failing: Surprise())
        try await bench.historical(.snapshot(facts, on: 40))
        bench.handlers = [ProbeHandler(), ProbeHandler(.walkingDistance), ProbeHandler(.exerciseMinutes)]
        let report = try await bench.historical(.snapshot(facts, on: 40))
        #expect(report.sync.outcomes[.steps] == .nothingNew && report.sync.failures.isEmpty)
        #expect(try await bench.sums(.walkingDistance) == bench.sums(.steps))
    }

    @Test func aCancelledRunThrowsAndKeepsItsCommits() async throws {
        let bench = EngineBench(ProbeHandler())
        try await bench.importSources(.snapshot(facts, on: 40))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await bench.derive(Fact.days(-380, 19))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await bench.stores.tracking.snapshots(days: Fact.days(-380, 19)).isEmpty)
        try await bench.derive(Fact.days(-380, 19))
        #expect(try await bench.sums().count == 400)
    }

    @Test func aRunWithoutAUserProfileIsRejected() async throws {
        let bench = EngineBench(ProbeHandler())
        let failure = await #expect(throws: SyncFailure.self) {
            try await bench.engine.sync.run(
                .daily(lookBackDays: 1), sources: [MemorySource.snapshot(facts, on: 40)],
                options: Sync.Options())
        }
        #expect(failure?.code == .noUserProfileID)
        #expect(try await bench.sums().isEmpty)
    }

    @Test func recordsItemsAndTrackingAreStoredAtomically() async throws {
        var bench = EngineBench(ProbeHandler(), ProbeHandler(.exerciseMinutes))
        bench.destination = "https://example.org"
        bench.tracking = FailingTracking(store: bench.stores.tracking, failing: [.steps])
        let report = try await bench.historical(.snapshot(facts, on: 40))
        #expect(failed(report.sync.outcomes[.steps])?.code == .storage)
        #expect(try await bench.sums().isEmpty)
        #expect(try await bench.stores.tracking.trackedDigests(of: .steps, days: Fact.days(-400, 400)).isEmpty)
        #expect(try await bench.queued().contains { $0.hasPrefix("steps/") } == false)
        #expect(try await bench.queued().count { $0.hasPrefix("exerciseMinutes/") } == 400)

        bench.tracking = nil
        try await bench.historical(.snapshot(facts, on: 40))
        #expect(try await bench.queued().count { $0.hasPrefix("steps/") } == 400)
        let again = try await bench.historical(.snapshot(facts, on: 40))
        #expect(again.sync.outcomes == [.steps: .nothingNew, .exerciseMinutes: .nothingNew])
    }
}

import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization
import Testing

/// The items that a repair sends, and those that it does not change.
@Suite struct RepairTests {
    private let life = (0..<12).flatMap { day in
        (0..<6).map { Fact.steps(Double(200 + day * 10 + $0), day: day, hour: 6 + $0) }
    }
    private let stranger = Fact(origin: Fact.watch, minute: 5 * 1_440 + 700, value: 5)

    private func bench(
        _ server: SampleServer = SampleServer()
    ) -> (bench: LayeringBench, server: ComparedServer) {
        let compared = ComparedServer(life, server: server)
        var bench = LayeringBench()
        bench.server = server
        bench.comparing = compared
        return (bench, compared)
    }

    private func repair(
        _ bench: LayeringBench, days: DayRange? = nil, allowDeletions: Bool = false
    ) async throws -> RepairReport {
        try #require(
            try await bench.engine.repair.run(
                types: [.stepCount], days: days, allowDeletions: allowDeletions, deadlineSeconds: 60))
    }

    @Test func sendsExactlyTheDifference() async throws {
        let (bench, server) = bench()
        try await bench.sync(.snapshot(life, on: 13))
        server.lose(life[10])
        server.put(life[20], value: 7, revision: 4)
        server.put(stranger, value: 5, revision: 2)
        bench.server.forgetWhatCame()
        let report = try await repair(bench)
        #expect(report.found.types.map { $0.differences.flatMap(\.samples).count } == [3])
        #expect(report.left.isEqual)
        #expect(report.counts.sent == 2 && report.counts.deleted == 1)
        #expect(Set(bench.server.sent) == LayeringBench.ids([life[10], life[20]]) && bench.server.sent.count == 2)
        #expect(bench.server.deleted == [VerifyBench.sample(stranger).id])
        #expect(bench.server.alive == LayeringBench.ids(life))
        #expect(bench.server.kept[VerifyBench.sample(life[20]).id]?.revision == 5)
        #expect(try await bench.isAllSynced())
        bench.server.forgetWhatCame()
        let again = try await repair(bench)
        #expect(again.found.isEqual && bench.server.sent.isEmpty && bench.server.deleted.isEmpty)
    }

    @Test(arguments: [1, 16, 40, 4_000])
    func aRecordDeletedUnderAHigherRevisionIsRestored(revision: Int64) async throws {
        let (bench, server) = bench()
        try await bench.sync(.snapshot(life, on: 13))
        server.lose(life[10], revision: revision)
        let report = try await repair(bench)
        #expect(report.left.isEqual && bench.server.alive == LayeringBench.ids(life))
    }

    @Test func aServerThatStoresNothingIsReported() async throws {
        let (bench, server) = bench()
        try await bench.sync(.snapshot(life, on: 13))
        server.lose(life[10], revision: .max)
        let report = try await repair(bench)
        #expect(report.left.types.map { $0.count(.missing) } == [1])
    }

    @Test func anOlderBackupIsBroughtUpToDate() async throws {
        let (bench, server) = bench()
        try await bench.sync(.snapshot(Array(life.prefix(30)), on: 13))
        let backup = bench.server.kept
        // Samples deleted locally since then are on the server again, and newer samples are missing.
        let now = Array(life.dropFirst(4))
        try await bench.sync(.snapshot(now, on: 14, at: "newer"))
        #expect(bench.server.alive == LayeringBench.ids(now))
        server.restore(backup)
        #expect(bench.server.alive == LayeringBench.ids(Array(life.prefix(30))))
        bench.server.forgetWhatCame()
        let report = try await repair(bench)
        #expect(report.left.isEqual && bench.server.alive == LayeringBench.ids(now))
        #expect(Set(bench.server.sent) == LayeringBench.ids(Array(life.dropFirst(30))))
        #expect(bench.server.sent.count == life.count - 30 && bench.server.deleted.count == 4)
        #expect(try await bench.isAllSynced())
    }

    @Test func queuedSamplesAreNotMissing() async throws {
        let (bench, _) = bench()
        try await bench.sync(.snapshot(life, on: 13), pushes: false)
        let report = try await repair(bench)
        #expect(report.found.isEqual && report.counts == RepairCounts())
        #expect(bench.server.sent.count == life.count)
    }

    @Test func onlyTheRequestedDaysAreRepaired() async throws {
        let (bench, server) = bench()
        try await bench.sync(.snapshot(life, on: 13))
        server.lose(life[10])
        server.lose(life[50])
        let report = try await repair(bench, days: Fact.days(8, 8))
        #expect(report.left.isEqual && report.counts.sent == 1)
        #expect(bench.server.alive == LayeringBench.ids(life.filter { $0 != life[10] }))
    }

    @Test func anIntervalNeverOfferedIsSentCompletely() async throws {
        var (bench, _) = bench()
        bench.limits.steps = 1_000_000
        // The one interval of all days was never offered. A repair of one day must not mark it as synced and skip the
        // rest.
        _ = try await SourceImport(
            store: bench.stores.pages, hasher: PlainHasher(), time: bench.time, clock: DayClock(home: .utc),
            progress: SilentLog(), log: SilentLog()
        ).importSources(
            [MemorySource.snapshot(life, on: 13)], selection: SampleSelection(types: [.stepCount]),
            allowDeletions: false, force: false)
        let report = try await repair(bench, days: Fact.days(8, 8))
        #expect(report.left.isEqual)
        let isMarked = try await bench.isAllSynced()
        #expect(!isMarked || bench.server.alive == LayeringBench.ids(life))
        #expect(bench.server.alive.isSuperset(of: LayeringBench.ids(Array(life[48..<54]))))
    }

    @Test func moreThanAFifthIsDeletedOnlyIfAllowed() async throws {
        let (bench, server) = bench()
        try await bench.sync(.snapshot(Array(life.prefix(10)), on: 13))
        for fact in life[10..<14] { server.put(fact, value: fact.value, revision: 0) }
        bench.server.forgetWhatCame()
        let failure = await #expect(throws: SyncFailure.self) { try await repair(bench) }
        #expect(failure?.code == .tooManyDeletions)
        #expect(bench.server.deleted.isEmpty && bench.server.sent.isEmpty)
        let report = try await repair(bench, allowDeletions: true)
        #expect(report.left.isEqual && bench.server.deleted.count == 4)
    }

    @Test func ifTheServerFailsTheRestStaysInTheOutbox() async throws {
        let isAway = Mutex(false)
        let (bench, server) = bench(
            SampleServer { _, batch in
                isAway.withLock { $0 } && batch.operation == .store ? .pause(reason: "no room", status: 403) : nil
            })
        try await bench.sync(.snapshot(life, on: 13))
        server.lose(life[10])
        isAway.withLock { $0 = true }
        let report = try await repair(bench)
        #expect(report.delivery.failure != nil && report.left.types.map { $0.count(.missing) } == [1])
        #expect(try await bench.states().contains(.waiting))
        isAway.withLock { $0 = false }
        // The queued items are sufficient.
        let next = try await repair(bench)
        #expect(next.found.isEqual && next.counts == RepairCounts())
        #expect(try await bench.isAllSynced())
    }

    @Test func nothingIsEnqueuedWhileDeliveryIsPaused() async throws {
        let (bench, server) = bench()
        try await bench.sync(.snapshot(life, on: 13))
        server.lose(life[10])
        try bench.hold.set()
        let report = try await repair(bench)
        #expect(report.delivery.ending == .held && report.counts == RepairCounts())
        #expect(!report.left.isEqual)
        #expect(try await bench.stores.outbox.items(in: .pending, destination: nil, limit: 9).isEmpty)
    }

    @Test func nothingIsSentToAServerThatCannotBeVerified() async throws {
        let bench = LayeringBench()
        try await bench.sync(.snapshot(life, on: 13), pushes: false)
        let failure = await #expect(throws: SyncFailure.self) { try await repair(bench) }
        #expect(failure?.code == .unverifiable && bench.server.sent.isEmpty)
    }

    @Test func aServerMayReturnAnyRevision() async throws {
        let (bench, server) = bench()
        try await bench.sync(.snapshot(life, on: 13))
        server.put(stranger, value: 5, revision: (1 << 53) - 2)
        let report = try await repair(bench)
        #expect(report.left.isEqual)
    }

    @Test func aRevisionThatNoServerAcceptsIsNotOutranked() async throws {
        let (bench, server) = bench()
        try await bench.sync(.snapshot(life, on: 13))
        server.put(stranger, value: 5, revision: .max)
        let report = try await repair(bench)
        #expect(report.left.types.map { $0.count(.surplus) } == [1])
        // The local database can read each of its revisions again.
        let revisions = try await bench.stores.intervals.revisions(of: SampleTypeDefinition.stepCount.type)
        #expect(revisions.values.allSatisfy { $0.revision < 1 << 53 })
    }
}

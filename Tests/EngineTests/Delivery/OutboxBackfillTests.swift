import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("Outbox backfill")
struct OutboxBackfillTests {
    private static let first = "https://first.example"
    private static let second = "https://second.example"
    private let bench = EngineBench(ProbeHandler(), NightHandler())

    private func backfill(
        _ destination: String = first, days: DayRange, over store: (any OutboxStore)? = nil
    ) async throws -> Int {
        try await OutboxBackfill(
            store: store ?? bench.stores.outbox,
            destination: PlainEncoder.destination(destination, sender: DeliveryServer(time: bench.time))
        )
        .run(days: days)
    }

    private func queued(_ destination: String = first) async throws -> [String] {
        try await bench.queued(destination).sorted()
    }

    /// Stores steps on the given days, without a server.
    private func keep(_ days: [Int]) async throws {
        try await bench.historical(.feed(days.map { .steps(100, day: $0) }, at: "\(days)"))
    }

    @Test("Every kind of record of the requested days is enqueued once")
    func kinds() async throws {
        try await bench.historical(
            .feed([.steps(100, day: 0), .steps(200, day: 1), .steps(300, day: 2), .core(from: 22 * 60, minutes: 300)]))
        #expect(try await queued() == [])
        let night = try #require(try await bench.stores.tracking.sleepSessions(days: Fact.days(0, 9)).first)
        #expect(try await backfill(days: Fact.days(0, 1)) == 5)
        let expected = [
            "\(night.sourceID)@1", "snapshot/2024-01-15@1", "snapshot/2024-01-16@1", "steps/2024-01-15@1",
            "steps/2024-01-16@1",
        ]
        #expect(try await queued() == expected.sorted())
        #expect(try await backfill(days: Fact.days(0, 1)) == 0)
        #expect(try await queued() == expected.sorted())
    }

    @Test("Servers are independent of each other")
    func destinations() async throws {
        try await keep([0, 1])
        #expect(try await backfill(days: Fact.days(0, 1)) == 4)
        #expect(try await backfill(Self.second, days: Fact.days(0, 1)) == 4)
        #expect(try await queued() == queued(Self.second))
    }

    @Test("Records offered before are skipped, whether delivered, rejected or discarded since")
    func offered() async throws {
        try await keep([0, 1, 2])
        #expect(try await backfill(days: Fact.days(0, 2)) == 6)
        let server = DeliveryServer(time: bench.time) { _, batch in
            .init(
                verdict: .items(
                    batch.recordIDs.map {
                        ["steps/day/2024-01-15", "steps/day/2024-01-16"].contains($0.first)
                            ? .rejected(reason: "no") : .delivered
                    }))
        }
        let report = try await OutboxDelivery(
            destination: Self.first, store: bench.stores.outbox, sender: server, hasher: PlainHasher(),
            time: bench.time, random: FixedChance(value: 0.5), log: SilentLog(), progress: SilentLog(),
            options: DeliveryOptions()
        ).run(until: bench.time.now().advanced(bySeconds: 60), resuming: false)
        #expect(report.delivered == 4 && report.dead == 2)
        let dead = try await bench.stores.outbox.items(in: .dead, destination: nil, limit: 10)
        #expect(try await bench.stores.outbox.drop(ids: [try #require(dead.first).id]) == 1)
        #expect(try await backfill(days: Fact.days(0, 2)) == 0)
        #expect(try await queued() == [])
    }

    @Test("Each year is a transaction: a failure keeps the previous ones, and the next run continues")
    func years() async throws {
        let days = [0, 365, 366, 731, 732]
        try await keep(days)
        for written in [1, 2] {
            let store = DyingOutbox(bench.stores.outbox, fatal: 1, afterCommit: false)
            await #expect(throws: SyncFailure.self) { try await backfill(days: Fact.days(0, 800), over: store) }
            #expect(try await queued().filter { $0.hasPrefix("steps/") }.count == written * 2)
        }
        #expect(try await backfill(days: Fact.days(0, 800)) == 2)
        let expected = days.flatMap { ["steps/\(Fact.day($0))@1", "snapshot/\(Fact.day($0))@1"] }
        #expect(try await queued() == expected.sorted())
    }

    @Test("Cancelled, it stops between years")
    func cancelled() async throws {
        try await keep([0])
        let work = Task { () throws -> Int in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await backfill(days: Fact.days(0, 1))
        }
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(try await queued() == [])
    }
}

import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Testing

/// Metrics that are derived because the data contain them, and their delivery after an upgrade (decision 58).
@Suite("Further metrics")
struct FurtherMetricsTests {
    private static let server = "https://one"
    private static let pulse = HealthMetric(rawValue: "pulse")
    private var bench = EngineBench(ProbeHandler())

    init() {
        bench.furtherHandlers = [
            ProbeHandler(Self.pulse, reading: .heartRate),
            ProbeHandler(HealthMetric(rawValue: "sleepValues"), reading: .sleepAnalysis),
        ]
    }

    /// Returns a snapshot with steps, and with heart rates if `pulse`, on days 0 to 3.
    private func export(pulse: Bool = true, on day: Int = 4) -> MemorySource {
        let days = 0..<4
        return .snapshot(
            days.map { Fact.steps(100, day: $0) } + (pulse ? days.map { Fact.heartRate(60, day: $0) } : []), on: day)
    }

    /// Returns the bench of a user who upgrades after days 0 and 1 were delivered.
    private func upgraded() async throws -> EngineBench {
        var bench = bench
        bench.destination = Self.server
        let former = bench.furtherHandlers
        bench.furtherHandlers = []
        try await bench.historical(.snapshot([.steps(100, day: 0), .steps(100, day: 1)], on: 2))
        bench.furtherHandlers = former
        bench.stores.upgrade(Self.server, from: FormerDelivery(lastDay: Fact.day(1), metrics: [.steps]))
        return bench
    }

    private func queued(_ bench: EngineBench) async throws -> [String] {
        try await bench.queued().map { String($0.prefix { $0 != "@" }) }
    }

    @Test("A quantity is a metric if the data contain it, and only then")
    func active() async throws {
        let first = try await bench.historical(export(pulse: false))
        #expect(first.sync.outcomes.keys.sorted() == [.steps])
        let second = try await bench.historical(export(on: 5))
        #expect(second.sync.outcomes.keys.sorted() == [Self.pulse, .steps])
        #expect(try await bench.sums(Self.pulse).keys.sorted() == (0..<4).map(Fact.day))
        #expect(second.sync.outcomes[Self.pulse] == .synced(days: 6, records: 4))
        #expect(try await bench.historical().sync.outcomes[Self.pulse] == .nothingNew)
        #expect(try await bench.engine.status.run().outOfDate.count == 0)
    }

    @Test("A metric of which only records are left loses them")
    func deleted() async throws {
        try await bench.historical(export())
        let report = try await bench.historical(export(pulse: false, on: 5))
        #expect(report.sync.outcomes[Self.pulse] == .synced(days: 6, records: 4))
        #expect(try await bench.sums(Self.pulse).isEmpty)
        #expect(try await bench.historical().sync.outcomes[Self.pulse] == nil)
    }

    @Test("Days of a further metric are out of date like those of any other")
    func outOfDate() async throws {
        try await bench.importSources(export(), types: [.stepCount, .heartRate])
        #expect(try await bench.engine.outOfDate.run().count == 4)
        var selected = bench
        selected.furtherHandlers = []
        try await selected.historical()
        #expect(try await selected.engine.outOfDate.run().count == 0)
        #expect(try await bench.engine.outOfDate.run().count == 4)
    }

    @Test("A new store delivers every metric")
    func newStore() async throws {
        var bench = bench
        bench.destination = Self.server
        let report = try await bench.historical(export())
        #expect(report.omitted == nil)
        #expect(try await queued(bench).filter { $0.hasPrefix("pulse/") }.count == 4)
        #expect(try await bench.engine.status.run().omitted == nil)
    }

    @Test("After an upgrade, the earlier days of further metrics are sent with `push --all`, and counted until then")
    func earlierDays() async throws {
        let bench = try await upgraded()
        let omitted = OmittedRecords(count: 2, metrics: 1, lastDay: Fact.day(1))
        #expect(try await bench.historical(export()).omitted == omitted)
        let queued = try await queued(bench)
        #expect(queued.filter { $0.hasPrefix("steps/") }.count == 4)
        #expect(queued.filter { $0.hasPrefix("pulse/") } == ["pulse/2024-01-17", "pulse/2024-01-18"])
        #expect(try await bench.historical().omitted == nil, "it is said once")
        #expect(try await bench.historical(force: true).omitted == nil)
        #expect(try await bench.engine.status.run().omitted == omitted)
        let waiting = try await bench.queued().count
        let push = try #require(try await bench.engine.push.run(deadlineSeconds: nil, all: true)?.delivery)
        #expect(push.delivered == waiting + 2 && push.left == 0)
        #expect(try await bench.engine.status.run().omitted == nil)
        let changed = MemorySource.snapshot([.steps(100, day: 0), .heartRate(70, day: 0)], on: 6)
        try await bench.historical(changed)
        #expect(try await self.queued(bench).contains("pulse/2024-01-15"))
    }

    @Test("`push --all` queues what an earlier run left out, even if that run was the last one")
    func complete() async throws {
        let bench = try await upgraded()
        try await bench.historical(export())
        _ = try await bench.engine.push.run(deadlineSeconds: nil)
        #expect(try await bench.engine.push.run(deadlineSeconds: nil, all: true)?.delivery?.delivered == 2)
        #expect(try await bench.engine.push.run(deadlineSeconds: nil, all: true)?.delivery?.delivered == 0)
    }

    @Test("Metrics that the user selects are delivered with all days")
    func selected() async throws {
        var bench = try await upgraded()
        bench.handlers = bench.furtherHandlers
        bench.furtherHandlers = []
        #expect(try await bench.historical(export()).omitted == nil)
        #expect(try await queued(bench).filter { $0.hasPrefix("pulse/") }.count == 4)
    }

    @Test("The notice is stored until it is shown, and is not for users who selected metrics")
    func notice() async throws {
        var bench = try await upgraded()
        #expect(try await bench.engine.furtherMetrics.hasNotice())
        #expect(try await bench.engine.status.run().hasFurtherMetrics)
        var selected = bench
        selected.furtherHandlers = []
        #expect(try await !selected.engine.furtherMetrics.hasNotice())
        let empty = try await bench.historical()
        #expect(try await bench.engine.furtherMetrics.takeNotice(after: empty))
        #expect(try await !bench.engine.furtherMetrics.takeNotice(after: empty), "it is shown once")
        #expect(try await !bench.engine.furtherMetrics.hasNotice())
        let other = try await upgraded()
        let read = try await other.historical(export())
        #expect(try await !other.engine.furtherMetrics.takeNotice(after: read), "the export added the metrics")
        #expect(try await !other.engine.furtherMetrics.hasNotice())
        bench.destination = nil
        #expect(try await !bench.engine.status.run().hasFurtherMetrics)
    }
}

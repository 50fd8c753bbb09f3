import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization
import Testing

@Suite struct SampleExportTests {
    /// Collects rows in memory, and can fail.
    private final class RowList: SampleRowWriter {
        struct State {
            var rows: [SampleRow] = []
            var calls: [String] = []
        }

        private let state = Mutex(State())
        private let isFailing: Bool

        init(isFailing: Bool = false) { self.isFailing = isFailing }

        var rows: [SampleRow] { state.withLock { $0.rows } }
        var calls: [String] { state.withLock { $0.calls } }

        func begin() async throws { state.withLock { $0.calls.append("begin") } }
        func append(_ rows: [SampleRow]) async throws {
            if isFailing { throw SyncFailure(.cannotCreate, subject: "rows", reason: "full", advice: "") }
            state.withLock { $0.rows += rows }
        }
        func finish() async throws { state.withLock { $0.calls.append("finish") } }
        func discard() async { state.withLock { $0.calls.append("discard") } }
    }

    private let bench = EngineBench()
    private let facts =
        (0..<70).map { Fact.steps(Double($0 + 1), day: $0) } + [.steps(3, day: 5, origin: Fact.watch)]
        + [.heartRate(60, day: 1), .heartRate(61, day: 2)]
    private let types: [SampleTypeDefinition] = [.stepCount, .heartRate]

    @Test func exportsEverySampleOnceForAnyProvider() async throws {
        try await bench.importSources(
            .snapshot(facts, on: 90), .feed(Array(facts[10..<20])), .feed(facts, at: "c", provider: "third"),
            types: types)
        let rows = RowList()
        #expect(try await bench.engine.export.run(types: nil, days: nil, to: rows) == facts.count)
        let written = rows.rows.map { row in
            Fact(
                type: types.first { $0.type == row.type } ?? .stepCount, origin: row.origin,
                minute: Int((row.interval.start.milliseconds - Fact.firstDay.utcStart.milliseconds) / 60_000),
                minutes: Int(row.interval.milliseconds / 60_000), value: row.value)
        }
        #expect(written.sorted() == facts.sorted())
        #expect(rows.rows.allSatisfy { row in types.contains { $0.type == row.type && $0.unit == row.unit } })
        #expect(Set(rows.rows.map(\.id)).count == facts.count)
        #expect(rows.calls == ["begin", "finish"])
    }

    @Test func idsDoNotDependOnTheFile() async throws {
        let other = EngineBench()
        try await bench.importSources(.snapshot(facts, on: 90), types: types)
        try await other.importSources(.feed(facts.reversed()), types: types)
        let left = RowList()
        let right = RowList()
        _ = try await bench.engine.export.run(types: nil, days: nil, to: left)
        _ = try await other.engine.export.run(types: nil, days: nil, to: right)
        #expect(left.rows == right.rows && left.rows.count == facts.count)
    }

    @Test func daysAreThoseOfTheUser() async throws {
        var bench = bench
        bench.clock = DayClock(home: try ZoneRules(identifier: "Asia/Tokyo"))
        let late = Fact.steps(9, day: 3, hour: 16)
        try await bench.importSources(.snapshot(facts + [late], on: 90), types: types)
        let rows = RowList()
        _ = try await bench.engine.export.run(
            types: [SampleTypeDefinition.stepCount.type], days: Fact.days(4, 4), to: rows)
        #expect(rows.rows.map(\.value) == [9, 5])
    }

    @Test func aFailureLeavesNothing() async throws {
        try await bench.importSources(.snapshot(facts, on: 90), types: types)
        let rows = RowList(isFailing: true)
        await #expect(throws: SyncFailure.self) { try await bench.engine.export.run(types: nil, days: nil, to: rows) }
        #expect(rows.calls == ["begin", "discard"])
    }

    @Test func inspectionListsTheContents() async throws {
        let source = MemorySource.snapshot(facts, on: 90)
        let inspection = try await SourceInspection(of: source, knownTypes: [.stepCount], time: ManualTime())
        #expect(inspection.rows.map(\.count) == [2, 70, 1])
        #expect(inspection.rows.map(\.unit) == ["count/min", "count", "count"])
        #expect(inspection.rows[1].first == facts[0].start && inspection.reading.recordsRead == facts.count)
        #expect(try await bench.stores.pages.storedTypes().isEmpty)
    }
}

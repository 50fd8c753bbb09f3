import HealthSyncDomain
import HealthSyncEngine
import HealthSyncTestKit
import Testing

/// Snapshots that are read for some types only.
@Suite struct SnapshotTypesTests {
    private let bench = EngineBench()
    private let ten = (0..<10).map { Fact.steps(Double(100 + $0), day: $0 / 2, hour: $0 % 2 + 8) }

    @Test func anOlderSnapshotAddsTypesThatTheNewerOneWasNotReadFor() async throws {
        let beat = Fact.heartRate(60, day: 0)
        try await bench.importSources(.snapshot(ten, on: 8, at: "b"), types: [.stepCount])
        try await bench.importSources(.snapshot(ten + [beat], on: 7, at: "c"), types: [.stepCount, .heartRate])
        #expect(try await bench.kept([.heartRate]) == [beat])
    }

    @Test(arguments: [false, true])
    func anOlderSnapshotReadForMoreTypesDoesNotRestoreDeletedSamples(_ all: Bool) async throws {
        let beats = (0..<5).map { Fact.heartRate(60, day: $0) }
        let newer = MemorySource.snapshot(Array(ten.dropLast()) + beats.dropLast(), on: 8, at: "b")
        let older = MemorySource.snapshot(ten + beats, on: 7, at: "c")
        try await bench.importSources(newer, types: [.stepCount])
        let report = try await bench.importSources(older, types: all ? [] : [.stepCount, .heartRate], all: all)
        #expect(report.map(\.superseded) == [1] && report.map(\.stored) == [5] && report.map(\.deleted) == [0])
        #expect(try await bench.kept() == Array(ten.dropLast()))
        #expect(try await bench.kept([.heartRate]) == beats)
        // The newer one, read for as many types, takes precedence for all of them.
        let again = try await bench.importSources(newer, types: [.stepCount, .heartRate])
        #expect(again.map(\.deleted) == [1])
        #expect(try await bench.kept([.heartRate]) == Array(beats.dropLast()))
        #expect(try await bench.kept() == Array(ten.dropLast()))
    }

    @Test func anotherPhoneIsRecognizedByTheTypesThatTheNewerSnapshotWasReadFor() async throws {
        let beats = (0..<40).map { Fact.heartRate(60, day: $0 / 10, hour: $0 % 10) }
        try await bench.importSources(.snapshot(ten, on: 8, at: "b"), types: [.stepCount])
        let lost = (0..<3).map { Fact.steps(7, day: -30, hour: $0) }
        let report = try await bench.importSources(
            .snapshot(ten + lost + beats, on: 7, at: "c"), types: [.stepCount, .heartRate])
        #expect(report.map(\.keptDespiteNewer) == [3] && report.map(\.superseded) == [0])
        #expect(try await bench.kept().count == 13)
    }

    @Test func typesThatWereNotRequestedAreUnchanged() async throws {
        let beats = (0..<5).map { Fact.heartRate(60, day: $0) }
        try await bench.importSources(.snapshot(ten + beats, on: 6, at: "a"), types: [.stepCount, .heartRate])
        try await bench.importSources(.snapshot(ten, on: 7, at: "b"), types: [.stepCount])
        #expect(try await bench.kept([.heartRate]) == beats)
        try await bench.importSources(
            .snapshot(ten, on: 8, at: "c"), types: [.stepCount, .heartRate], allowDeletions: true)
        #expect(try await bench.kept([.heartRate]) == [])
    }

    @Test func ifAllTypesAreRequestedAVanishedTypeIsDeleted() async throws {
        try await bench.importSources(.snapshot(ten + [Fact.heartRate(60, day: 0)], on: 6, at: "a"), all: true)
        try await bench.importSources(.snapshot(ten, on: 7, at: "b"), all: true)
        #expect(try await bench.kept([.heartRate]) == [])
        #expect(try await bench.kept() == ten)
    }
}

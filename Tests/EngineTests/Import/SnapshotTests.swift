import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite struct SnapshotTests {
    private let bench = EngineBench()
    private let ten = (0..<10).map { Fact.steps(Double(100 + $0), day: $0 / 2, hour: $0 % 2 + 8) }

    @Test func aNewerSnapshotDeletesMissingSamples() async throws {
        try await bench.importSources(.snapshot(ten, on: 6, at: "a"))
        let report = try await bench.importSources(.snapshot(Array(ten.dropFirst()), on: 7, at: "b"))
        #expect(report.map(\.deleted) == [1])
        #expect(try await bench.kept() == Array(ten.dropFirst()))
    }

    @Test func aWholeDayCanBeDeleted() async throws {
        try await bench.importSources(.snapshot(ten, on: 6, at: "a"))
        try await bench.importSources(.snapshot(Array(ten.dropFirst(2)), on: 7, at: "b"))
        #expect(try await bench.kept() == Array(ten.dropFirst(2)))
        #expect(try await bench.stores.pages.dayExtent(of: [Fact.steps(0, day: 0).type.type]) == Fact.days(1, 4))
    }

    @Test func partsInOneRunAreOneSnapshot() async throws {
        try await bench.importSources(.snapshot(ten, on: 6, at: "old"))
        let reports = try await bench.importSources(
            .snapshot(Array(ten[..<5]), on: 7, at: "part 1"), .snapshot(Array(ten[5...]), on: 7, at: "part 2"))
        #expect(reports.map(\.locations) == [["part 1", "part 2"]])
        #expect(reports.map(\.deleted) == [0])
        #expect(try await bench.kept() == ten)
    }

    @Test func partsInSeveralRunsAddUp() async throws {
        try await bench.importSources(.snapshot(Array(ten[..<5]), on: 7, at: "part 1"))
        try await bench.importSources(.snapshot(Array(ten[5...]), on: 7, at: "part 2"))
        #expect(try await bench.kept() == ten)
    }

    @Test func aLaterPartRestoresSamplesThatTheFirstPartDeleted() async throws {
        try await bench.importSources(.snapshot(ten, on: 6, at: "old"))
        try await bench.importSources(.snapshot(Array(ten[..<5]), on: 7, at: "part 1"), allowDeletions: true)
        #expect(try await bench.kept() == Array(ten[..<5]))
        try await bench.importSources(.snapshot(Array(ten[5...]), on: 7, at: "part 2"))
        #expect(try await bench.kept() == ten)
    }

    @Test func anOlderSnapshotDoesNotRestoreDeletedSamples() async throws {
        try await bench.importSources(.snapshot(ten, on: 6, at: "a"))
        try await bench.importSources(.snapshot(Array(ten.dropLast()), on: 8, at: "b"))
        let lost = Fact.steps(7, day: -30)
        let report = try await bench.importSources(.snapshot(ten + [lost], on: 7, at: "c"))
        #expect(try await bench.kept() == Array(ten.dropLast()))
        #expect(report.map(\.stored) == [0] && report.map(\.deleted) == [0] && report.map(\.superseded) == [2])
        #expect(report.map(\.alreadyKnown) == [11] && report.allSatisfy(\.addsUp))
    }

    @Test(arguments: [(2, false, 10), (3, false, 13), (3, true, 10)])
    func anOlderSnapshotOfAnotherPhoneIsAdded(_ lost: Int, _ allowDeletions: Bool, _ kept: Int) async throws {
        try await bench.importSources(.snapshot(ten, on: 8, at: "b"))
        let older = (0..<lost).map { Fact.steps(7, day: -30, hour: $0) }
        let report = try await bench.importSources(
            [.snapshot(ten + older, on: 7, at: "c")], allowDeletions: allowDeletions)
        #expect(try await bench.kept().count == kept)
        #expect(report.map(\.keptDespiteNewer) == [kept - 10] && report.map(\.superseded) == [10 + lost - kept])
        #expect(report.map(\.stored) == [kept - 10] && report.allSatisfy(\.addsUp))
    }

    @Test func samplesAfterTheNewerSnapshotAreAdded() async throws {
        try await bench.importSources(.snapshot(ten, on: 8, at: "b"))
        let later = Fact.steps(5, day: 9)
        let report = try await bench.importSources(.snapshot(ten + [later], on: 7, at: "c"))
        #expect(try await bench.kept() == ten + [later])
        #expect(report.map(\.superseded) == [0])
    }

    @Test func aTruncatedNewerSnapshotDoesNotAffectAnOlderOne() async throws {
        var cut = MemorySource.snapshot([], on: 8, at: "b")
        cut.content = .truncated(ten.dropLast().map(MemorySource.Entry.sample))
        try await bench.importSources(cut)
        try await bench.importSources(.snapshot(ten, on: 7, at: "c"))
        #expect(try await bench.kept() == ten)
    }

    @Test func aDeletionIsKeptAcrossOlderSnapshots() async throws {
        let alive = Array(ten.dropLast())
        try await bench.importSources(.snapshot(ten, on: 6, at: "a"))
        try await bench.importSources(.snapshot(alive, on: 12, at: "b"))
        for (name, date) in [("c", 7), ("d", 9), ("e", 11), ("f", 5)] {
            // Each also adds a sample to the page of the deleted one.
            let others = (1...2).map { Fact.steps(Double($0), day: 4, hour: date) }
            let report = try await bench.importSources(.snapshot(ten + others, on: date, at: name))
            #expect(report.map(\.superseded) == [3])
            #expect(try await bench.kept() == alive)
        }
    }

    @Test func aDeletionIsKeptWhenANewerSnapshotDoesNotChangeThePage() async throws {
        try await bench.importSources(.snapshot(ten, on: 6, at: "a"))
        try await bench.importSources(.snapshot(Array(ten.dropLast(2)), on: 7, at: "b"))
        try await bench.importSources(
            .snapshot(Array(ten.dropLast(2)) + [Fact.steps(1, day: 0, hour: 20)], on: 9, at: "c"))
        try await bench.importSources(.snapshot(ten, on: 8, at: "d"))
        #expect(try await bench.kept().contains(ten[9]) == false)
    }

    @Test func aNewerSnapshotRestoresSamples() async throws {
        try await bench.importSources(.snapshot(ten, on: 6, at: "a"))
        try await bench.importSources(.snapshot(Array(ten.dropLast()), on: 7, at: "b"))
        try await bench.importSources(.snapshot(ten, on: 8, at: "c"))
        #expect(try await bench.kept() == ten)
        try await bench.importSources(.snapshot(ten, on: 5, at: "d"))
        #expect(try await bench.kept() == ten)
    }

    @Test func aFeedMayRestoreSamplesDeletedByASnapshot() async throws {
        try await bench.importSources(.snapshot(ten, on: 6, at: "a"))
        try await bench.importSources(.snapshot(Array(ten.dropLast()), on: 7, at: "b"))
        try await bench.importSources(.feed([ten[9]]))
        #expect(try await bench.kept() == ten)
    }

    @Test func aTruncatedSnapshotDeletesNothingAndIsNotRecorded() async throws {
        try await bench.importSources(.snapshot(ten, on: 6, at: "a"))
        let late = Fact.steps(5, day: 6)
        var cut = MemorySource.snapshot([], on: 8, at: "b")
        cut.content = .truncated((Array(ten[..<2]) + [late]).map(MemorySource.Entry.sample))
        for _ in 1...2 {
            let report = try await bench.importSources(cut)
            #expect(report.map(\.isUnchanged) == [false] && report.map(\.deleted) == [0])
            #expect(try await bench.kept() == ten + [late])
        }
        #expect(try await bench.stores.pages.importedSource(path: "b") == nil)
        // Its date is ignored too: a complete one made before it still deletes.
        try await bench.importSources(.snapshot(Array(ten[1...]) + [late], on: 7, at: "c"))
        #expect(try await bench.kept() == Array(ten[1...]) + [late])
    }

    @Test func aTruncatedPartPreventsDeletionsOfTheWholeSnapshot() async throws {
        try await bench.importSources(.snapshot(ten, on: 6, at: "a"))
        var cut = MemorySource.snapshot([], on: 8, at: "part 2")
        cut.content = .truncated([.sample(ten[0])])
        try await bench.importSources(.snapshot([ten[1]], on: 8, at: "part 1"), cut)
        #expect(try await bench.kept() == ten)
        #expect(try await bench.stores.pages.importedSource(path: "part 1") == nil)
    }

    @Test func aSnapshotWithoutADateOnlyAdds() async throws {
        try await bench.importSources(.snapshot(ten, on: 6, at: "a"))
        try await bench.importSources(.snapshot([Fact.steps(5, day: 6)], on: nil, at: "b"))
        #expect(try await bench.kept() == ten + [Fact.steps(5, day: 6)])
    }

    @Test(arguments: [2, 3]) func aSnapshotOfAnotherUserIsRejected(_ lacking: Int) async throws {
        try await bench.importSources(.snapshot(ten, on: 6, at: "a"))
        let other = MemorySource.snapshot(Array(ten.dropFirst(lacking)) + [Fact.steps(1, day: 6)], on: 8, at: "b")
        // A fifth of ten is two, which is not more than a fifth.
        guard lacking > 2 else {
            try await bench.importSources(other)
            return #expect(try await bench.kept().count == 9)
        }
        let failure = await #expect(throws: SyncFailure.self) { try await bench.importSources(other) }
        #expect(failure?.code == .tooManyDeletions && failure?.subject == "b")
        #expect(try await bench.kept() == ten)
        #expect(try await bench.stores.pages.importedSource(path: "b") == nil)
        try await bench.importSources(other, allowDeletions: true)
        #expect(try await bench.kept() == Array(ten.dropFirst(lacking)) + [Fact.steps(1, day: 6)])
    }

    @Test func anotherProvidersSamplesAreUntouched() async throws {
        try await bench.importSources(.snapshot(ten, on: 6, at: "a"))
        var other = MemorySource.snapshot([ten[0]], on: 9, at: "b")
        other.provider = "another"
        try await bench.importSources(other)
        #expect(try await Set(bench.kept()) == Set(ten))
    }

    @Test func anUnchangedSnapshotIsReadOnlyIfForcedOrForMoreTypes() async throws {
        let source = MemorySource.snapshot(ten + [Fact.heartRate(60, day: 0)], on: 6)
        try await bench.importSources(source)
        #expect(try await bench.importSources(source).map(\.isUnchanged) == [true])
        #expect(try await bench.importSources(source, force: true).map(\.isUnchanged) == [false])
        let wider = try await bench.importSources(source, types: [.stepCount, .heartRate])
        #expect(wider.map(\.isUnchanged) == [false] && wider.map(\.stored) == [1])
    }

    @Test func anotherDefinitionOfATypeReadsTheSourceAgain() async throws {
        let type = SampleType(rawValue: "HKQuantityTypeIdentifierBodyTemperature")
        let definitions = [
            SampleTypeDefinition(type, .state, unit: "degC", factors: ["degF": 0.5]),
            SampleTypeDefinition(type, .state, unit: "degC", factors: ["degF": 0.5], offsets: ["degF": -17]),
            SampleTypeDefinition(type, .discrete, unit: "degC", factors: ["degF": 0.5], offsets: ["degF": -17]),
            SampleTypeDefinition(
                type, .discrete, unit: "degC", factors: ["degF": 0.5], offsets: ["degF": -17],
                categoryValues: ["Feverish": 1]),
        ]
        for definition in definitions {
            #expect(
                try await bench.importSources(.snapshot(ten, on: 6), types: [definition]).map(\.isUnchanged) == [false])
            #expect(
                try await bench.importSources(.snapshot(ten, on: 6), types: [definition]).map(\.isUnchanged) == [true])
        }
    }
}

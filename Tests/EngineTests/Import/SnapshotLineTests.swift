import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Exports of several phones (decision 19).
@Suite struct SnapshotLineTests {
    private static let other = SampleOrigin(sourceName: "Old iPhone", device: "name:iPhone, hardware:iPhone9,3")

    private let bench = EngineBench()
    private let new = (0..<10).map { Fact.steps(Double(100 + $0), day: $0 / 2, hour: $0 % 2 + 8) }
    private let old = (0..<10).map { Fact.steps(Double(50 + $0), day: $0 - 20, origin: Self.other) }

    /// Returns weekly exports of a phone: each adds some samples and lacks one of the last.
    private static func weekly(
        _ origin: SampleOrigin, from day: Int, common: [Fact], _ random: inout SeededRandom
    ) -> [MemorySource] {
        var held = Set(common)
        var next = 0
        return (0..<5).map { week in
            for number in 0..<(week == 0 ? 40 : 12) {
                // The samples of the watch are on pages to which both phones contribute.
                let from = number % 3 == 0 ? Fact.watch : origin
                let value = Double(next * 2 + (origin == other ? 1 : 0))
                held.insert(.steps(value, day: .random(in: 0..<2, using: &random), hour: number % 24, origin: from))
                next += 1
            }
            if week > 0, let gone = held.sorted().randomElement(using: &random) { held.remove(gone) }
            return .snapshot(
                held.sorted().shuffled(using: &random), on: day + week * 3, at: "\(origin.sourceName) \(week)")
        }
    }

    private static func facts(_ source: MemorySource) -> Set<Fact> {
        guard case .entries(let entries) = source.content else { return [] }
        return Set(
            entries.compactMap { entry -> Fact? in if case .sample(let fact) = entry { fact } else { nil } })
    }

    @Test(arguments: Seeds.range(UInt64(30))) func anyOrderEndsWithTheNewestOfEachPhone(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let common = (0..<5).map { Fact.steps(Double(9_000 + $0), day: 1, hour: $0, origin: Fact.watch) }
        let second = Bool.random(using: &random) ? 11 : 40
        let phones = [
            Self.weekly(Fact.phone, from: 10, common: common, &random),
            Self.weekly(Self.other, from: second, common: common, &random),
        ]
        var newest: [Int: Int] = [:]
        var before = 0
        let steps = (0..<10).map { (phone: $0 % 2, week: $0 / 2) }
        for step in steps.shuffled(using: &random) + [steps[Int.random(in: 0..<10, using: &random)]] {
            let reports = try await bench.importSources(
                phones[step.phone][step.week], force: Bool.random(using: &random))
            newest[step.phone] = max(newest[step.phone] ?? 0, step.week)
            let expected = newest.reduce(into: Set<Fact>()) { $0.formUnion(Self.facts(phones[$1.key][$1.value])) }
            let kept = try await bench.kept()
            #expect(kept == expected.sorted(), "\(step)")
            #expect(reports.reduce(0) { $0 + $1.stored - $1.deleted } == kept.count - before)
            before = kept.count
        }
        let isForgotten = try await bench.stores.pages.changePages { transaction in
            try transaction.lineageDigests(provider: "memory").values.allSatisfy { Set($0.keys) != [0] }
        }
        #expect(isForgotten)
    }

    @Test(arguments: [3, 10]) func theNextExportOfThisPhoneKeepsTheSamplesOfTheOldOne(_ size: Int) async throws {
        let lost = Array(old.prefix(size))
        try await bench.importSources(.snapshot(new, on: 8, at: "new"))
        let report = try await bench.importSources(.snapshot(lost, on: 6, at: "old"))
        #expect(report.map(\.keptDespiteNewer) == [size] && report.map(\.stored) == [size])
        for week in 1...2 {
            let later = Array(new.dropFirst(week)) + [Fact.steps(Double(week), day: 7)]
            let weekly = try await bench.importSources(.snapshot(later, on: 8 + week, at: "\(week)"))
            #expect(weekly.map(\.deleted) == [week == 1 ? 1 : 2] && weekly.map(\.keptDespiteNewer) == [0])
            #expect(try await bench.kept() == (later + lost).sorted())
        }
        try await bench.importSources(.snapshot(Array(lost.dropLast()), on: 7, at: "old 2"), allowDeletions: true)
        #expect(try await Set(bench.kept()).isDisjoint(with: [lost[size - 1]]))
    }

    @Test func aNewerExportOfAnotherPhoneIsKeptToo() async throws {
        try await bench.importSources(.snapshot(old, on: 6, at: "old"))
        let report = try await bench.importSources(.snapshot(new, on: 8, at: "new"))
        #expect(report.map(\.keptDespiteNewer) == [10] && report.map(\.deleted) == [0])
        #expect(try await bench.kept() == (old + new).sorted())
    }

    @Test func aSharedSampleIsDeletedWhenNeitherPhoneHasIt() async throws {
        let shared = Fact.steps(1, day: 0, hour: 20)
        try await bench.importSources(.snapshot(old + [shared], on: 6, at: "old"))
        try await bench.importSources(.snapshot(new + [shared], on: 8, at: "new"))
        try await bench.importSources(.snapshot(new, on: 9, at: "new 2"))
        #expect(try await bench.kept().contains(shared))
        try await bench.importSources(.snapshot(old, on: 10, at: "old 2"))
        #expect(try await bench.kept() == (old + new).sorted())
        try await bench.importSources(.snapshot(old + [shared], on: 6, at: "old again"))
        #expect(try await bench.kept().contains(shared) == false)
    }

    @Test func forceRestoresDeletedSamplesOfAnotherPhone() async throws {
        try await bench.importSources(.snapshot(old, on: 6, at: "old"))
        try await bench.importSources(.snapshot(new, on: 8, at: "new"), allowDeletions: true)
        #expect(try await bench.kept() == new)
        let copy = try await bench.importSources(.snapshot(old, on: 6, at: "copy"))
        #expect(copy.map(\.superseded) == [10] && copy.map(\.stored) == [0])
        let again = try await bench.importSources(.snapshot(old, on: 6, at: "old"), force: true)
        #expect(again.map(\.stored) == [10] && again.map(\.keptDespiteNewer) == [10] && again.map(\.superseded) == [0])
        try await bench.importSources(.snapshot(new, on: 9, at: "newer"))
        #expect(try await bench.kept() == (old + new).sorted())
    }

    @Test func aFutureDateIsImplausible() async throws {
        // Sources are imported on day 1,000.
        try await bench.importSources(.snapshot(new, on: 8, at: "a"))
        let future = try await bench.importSources(
            .snapshot(Array(new.dropFirst()) + [Fact.steps(7, day: 9)], on: 1_002, at: "b"))
        #expect(future.map(\.isDatePlausible) == [false] && future.map(\.deleted) == [0] && future.map(\.stored) == [1])
        let weekly = new + [Fact.steps(8, day: 10), Fact.steps(9, day: 11)]
        let report = try await bench.importSources(.snapshot(weekly, on: 12, at: "c"))
        #expect(report.map(\.isDatePlausible) == [true] && report.map(\.stored) == [2] && report.map(\.deleted) == [1])
        #expect(try await bench.kept() == weekly)
        #expect(try await bench.importSources(.snapshot(weekly, on: 1_001, at: "d")).map(\.isDatePlausible) == [true])
    }

    @Test func aStoredFutureDateIsImplausible() async throws {
        try await bench.importSources(.snapshot(new, on: 8, at: "a"))
        let steps = SampleTypeDefinition.stepCount.type
        let future = SnapshotDates(chosen: [steps: Fact.day(5_000).utcStart], all: Fact.day(5_000).utcStart)
        try await bench.stores.pages.changePages { try $0.setSnapshotDates(future, provider: "memory", lineage: 0) }
        let later = Array(new.dropFirst()) + [Fact.steps(7, day: 9)]
        let report = try await bench.importSources(.snapshot(later, on: 12, at: "b"))
        #expect(report.map(\.stored) == [1] && report.map(\.deleted) == [1] && report.map(\.superseded) == [0])
        let dates = try await bench.stores.pages.changePages { try $0.snapshotDates(provider: "memory") }
        #expect(dates == [0: SnapshotDates(chosen: [steps: Fact.day(12).utcStart])])
    }

    @Test func samplesAfterTheExportDateAreNotDeleted() async throws {
        let later = Fact.steps(7, day: 4, hour: 23)
        try await bench.importSources(.snapshot(new + [later], on: 3, at: "a"))
        try await bench.importSources(.snapshot(new, on: 4, at: "b"))
        #expect(try await bench.kept() == new + [later])
        try await bench.importSources(.snapshot(new, on: 5, at: "c"))
        #expect(try await bench.kept() == new)
    }
}

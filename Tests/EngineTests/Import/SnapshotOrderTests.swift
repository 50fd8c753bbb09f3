import HealthSyncDomain
import HealthSyncEngine
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite struct SnapshotOrderTests {
    /// Returns a history of snapshots in one to three parts. Each adds some samples and lacks some of the previous
    /// one.
    private static func history(_ random: inout SeededRandom) -> [[MemorySource]] {
        var held: Set<Fact> = []
        var next = 0
        return (0..<4).map { number in
            for fact in held.sorted() where Int.random(in: 0..<8, using: &random) == 0 { held.remove(fact) }
            for _ in 0..<12 {
                let origin = Bool.random(using: &random) ? Fact.phone : Fact.watch
                held.insert(.steps(Double(next), day: .random(in: 0..<6, using: &random), origin: origin))
                next += 1
            }
            let parts = Int.random(in: 1...3, using: &random)
            let split = Dictionary(grouping: held.sorted()) { _ in Int.random(in: 0..<parts, using: &random) }
            return (0..<parts).map { part in
                .snapshot((split[part] ?? []).shuffled(using: &random), on: 30 + number, at: "\(number).\(part)")
            }
        }
    }

    private static func facts(_ snapshot: [MemorySource]) -> [Fact] {
        snapshot.flatMap { source -> [MemorySource.Entry] in
            if case .entries(let entries) = source.content { entries } else { [] }
        }.compactMap { entry -> Fact? in if case .sample(let fact) = entry { fact } else { nil } }
    }

    @Test(arguments: Seeds.range(UInt64(40))) func inOneRunTheNewestPrevails(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let history = Self.history(&random)
        let bench = EngineBench()
        let reports = try await bench.importSources(
            history.joined().shuffled(using: &random), allowDeletions: true)
        #expect(try await bench.kept() == Self.facts(history[3]).sorted())
        #expect(reports.allSatisfy(\.addsUp) && reports.count == 4)
    }

    @Test(arguments: Seeds.range(UInt64(60))) func inSeveralRunsTheNewestPrevails(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let history = Self.history(&random)
        let bench = EngineBench()
        var newest = -1
        for number in [0, 1, 2, 3].shuffled(using: &random) {
            let lacking = Set(Self.facts(history[number])).subtracting(try await bench.kept()).count
            let reports = try await bench.importSources(history[number].shuffled(using: &random), allowDeletions: true)
            #expect(reports.filter { !$0.addsUp } == [])
            if number < newest { #expect(reports.map(\.stored) == [0] && reports[0].superseded <= lacking) }
            newest = max(newest, number)
            #expect(try await bench.kept() == Self.facts(history[newest]).sorted())
        }
    }

    @Test(arguments: Seeds.range(UInt64(20))) func inOrderAnyGroupingIntoRunsGivesTheSameResult(
        _ seed: UInt64
    ) async throws {
        var random = SeededRandom(seed: seed)
        let history = Self.history(&random)
        let bench = EngineBench()
        var run: [MemorySource] = []
        for snapshot in history {
            run += snapshot
            guard Bool.random(using: &random) else { continue }
            try await bench.importSources(run.shuffled(using: &random), allowDeletions: true)
            run = []
        }
        try await bench.importSources(run, allowDeletions: true)
        #expect(try await bench.kept() == Self.facts(history[3]).sorted())
    }

    private static let types: [SampleTypeDefinition] = [.stepCount, .heartRate, .sleepAnalysis]

    /// Returns snapshots of three types. Each adds some samples and lacks some of the previous one.
    private static func manyTypes(_ random: inout SeededRandom) -> [MemorySource] {
        var held: Set<Fact> = []
        var next = 0
        return (0..<4).map { number in
            for fact in held.sorted() where Int.random(in: 0..<8, using: &random) == 0 { held.remove(fact) }
            for _ in 0..<15 {
                let day = Int.random(in: 0..<6, using: &random)
                var fact = Fact.steps(Double(next), day: day)
                fact.type = types.randomElement(using: &random) ?? .stepCount
                held.insert(fact)
                next += 1
            }
            return .snapshot(held.shuffled(using: &random), on: 30 + number, at: "\(number)")
        }
    }

    @Test(arguments: Seeds.range(UInt64(80)))
    func forEveryTypeTheNewestSnapshotReadForItPrevails(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let history = Self.manyTypes(&random)
        let bench = EngineBench()
        var newest: [SampleTypeDefinition: Int] = [:]
        for _ in 0..<8 {
            let number = Int.random(in: 0..<4, using: &random)
            let all = Int.random(in: 0..<4, using: &random) == 0
            let chosen = Self.types.filter { _ in Bool.random(using: &random) }
            guard all || !chosen.isEmpty else { continue }
            let reports = try await bench.importSources(
                [history[number]], types: chosen, all: all, allowDeletions: true,
                force: Bool.random(using: &random))
            #expect(reports.filter { !$0.addsUp } == [])
            for type in all ? Self.types : chosen { newest[type] = max(newest[type] ?? 0, number) }
            for type in Self.types {
                let facts = newest[type].map { Self.facts([history[$0]]).filter { $0.type == type }.sorted() }
                #expect(try await bench.kept([type]) == facts ?? [], "\(type.type.shortName)")
            }
        }
    }
}

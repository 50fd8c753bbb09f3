import HealthSyncDomain
import HealthSyncEngine
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Change streams: additions and deletions by identifier, and complete windows.
@Suite struct ChangeStreamTests {
    /// A post of a stream: samples by identifier, and deleted identifiers.
    private func post(
        _ samples: [(id: String, fact: Fact)], deleting ids: [String] = [], window: CompleteWindow? = nil,
        at location: String = "post"
    ) -> MemorySource {
        MemorySource(
            location: location, provider: "stream", semantics: .changes,
            content: .entries(samples.map { .sample($0.fact) }),
            details: samples.map { SampleDetail(externalID: $0.id) },
            deletions: ids.map {
                DeletedSample(externalID: $0, type: $0.hasPrefix("typed") ? SampleTypeDefinition.stepCount.type : nil)
            },
            windows: window.map { [$0] } ?? [])
    }

    private func window(_ days: ClosedRange<Int>, date: Int64) -> CompleteWindow {
        CompleteWindow(
            start: Fact.day(days.lowerBound).utcStart, end: Fact.day(days.upperBound + 1).utcStart,
            types: [SampleTypeDefinition.stepCount.type], date: Instant(seconds: date))
    }

    /// In any order and split, with repetitions, the samples that were never deleted remain.
    @Test(arguments: Seeds.range(60)) func deletionsApplyInAnyOrder(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        let samples = (0..<30).map { number in
            (
                id: (number.isMultiple(of: 2) ? "typed" : "any") + "\(number)",
                fact: Fact.steps(Double(Int.random(in: 1...3, using: &random)), day: number % 5, hour: number % 3)
            )
        }
        let deleted = Set(samples.map(\.id).filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
        let bench = EngineBench()
        var events = samples.map { (add: Optional($0), delete: String?.none) }
        events += deleted.map { (add: nil, delete: $0) }
        events += events.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
        events.shuffle(using: &random)
        var number = 0
        while !events.isEmpty {
            let part = events.prefix(Int.random(in: 1...9, using: &random))
            events.removeFirst(part.count)
            number += 1
            try await bench.importSources(
                post(part.compactMap(\.add), deleting: part.compactMap(\.delete), at: "post \(number)"))
        }
        let expected = samples.filter { !deleted.contains($0.id) }.map(\.fact).sorted()
        #expect(try await bench.kept() == expected)
    }

    /// What the stream deleted does not count in a snapshot or feed either, whatever arrives first, and the days are
    /// derived again.
    @Test(arguments: 0..<24) func deletedMeasurementsCountInNoInput(order: Int) async throws {
        let bench = EngineBench(ProbeHandler())
        let kept = Fact.steps(100, day: 1)
        let gone = Fact.steps(40, day: 1, hour: 9)
        var inputs = [
            MemorySource.snapshot([kept, gone], on: 10), .feed([kept, gone]),
            post([("kept", kept), ("gone", gone)], at: "first"), post([], deleting: ["gone"], at: "second"),
        ]
        var sources: [MemorySource] = []
        var rest = order
        for count in stride(from: 4, through: 1, by: -1) {
            sources.append(inputs.remove(at: rest % count))
            rest /= count
        }
        for source in sources { try await bench.run(.daily(lookBackDays: nil), source) }
        #expect(try await bench.sums().mapValues { $0[0] } == [Fact.day(1): 100])
    }

    @Test func aSampleThatIsEnteredAgainCounts() async throws {
        let bench = EngineBench(ProbeHandler())
        let walk = Fact.steps(100, day: 1)
        try await bench.run(.daily(lookBackDays: nil), .feed([walk]))
        try await bench.run(.daily(lookBackDays: nil), post([("old", walk)], at: "1"))
        try await bench.run(.daily(lookBackDays: nil), post([], deleting: ["old"], at: "2"))
        #expect(try await bench.sums().isEmpty)
        try await bench.run(.daily(lookBackDays: nil), post([("new", walk)], at: "3"))
        #expect(try await bench.sums().mapValues { $0[0] } == [Fact.day(1): 100])
    }

    /// Of the versions of a record the highest one counts, whatever arrives last, also if the record moved to another
    /// day and if it was deleted.
    @Test(arguments: [[1, 2], [2, 1], [1, 2, 1], [2, 1, 2, 1]]) func anOlderVersionRestoresNothing(
        order: [Int]
    ) async throws {
        let facts = [1: Fact.steps(100, day: 1), 2: Fact.steps(600, day: 1)]
        let moved = [1: Fact.steps(7, day: 3), 2: Fact.steps(8, day: 4)]
        let bench = EngineBench()
        for (place, version) in order.enumerated() {
            var post = post([("a", try #require(facts[version])), ("b", try #require(moved[version]))], at: "\(place)")
            post.details = ["a", "b"].map { SampleDetail(externalID: $0, syncVersion: Int64(version)) }
            try await bench.importSources(post)
        }
        #expect(try await bench.kept() == [.steps(600, day: 1), .steps(8, day: 4)])
        try await bench.importSources(post([], deleting: ["a"], at: "deletion"))
        var late = post([("a", .steps(100, day: 1))], at: "late")
        late.details = [SampleDetail(externalID: "a", syncVersion: 1)]
        try await bench.importSources(late)
        #expect(try await bench.kept() == [.steps(8, day: 4)])
    }

    @Test func aDeletedRecordDeletesItsParts() async throws {
        let bench = EngineBench()
        let parts = [
            ("night#0", Fact.steps(1, day: 0)), ("night#1", Fact.steps(2, day: 1)), ("other", .steps(3, day: 0)),
        ]
        try await bench.importSources(post([parts[0], parts[2]], at: "1"))
        try await bench.importSources(post([], deleting: ["night"], at: "2"))
        try await bench.importSources(post([parts[1]], at: "3"))
        #expect(try await bench.kept() == [parts[2].1])
    }

    /// A complete window states everything in it: what it lacks is deleted, what a later one contains again returns, and
    /// an older one deletes and restores nothing.
    @Test func aCompleteWindowReplacesItsInterval() async throws {
        let bench = EngineBench()
        let facts = (0..<5).map { (id: "s\($0)", fact: Fact.steps(Double($0 + 1), day: $0)) }
        try await bench.importSources(post(facts, window: window(0...4, date: 10), at: "1"))
        try await bench.importSources(post([facts[1], facts[3]], window: window(1...3, date: 20), at: "2"))
        let lacking = [facts[0], facts[1], facts[3], facts[4]].map(\.fact)
        #expect(try await bench.kept() == lacking)
        try await bench.importSources(post(facts, window: window(0...4, date: 10), at: "1 again"))
        #expect(try await bench.kept() == lacking)
        try await bench.importSources(post([facts[2]], window: window(2...2, date: 30), at: "3"))
        #expect(try await bench.kept() == facts.map(\.fact))
        try await bench.importSources(post([], window: window(0...9, date: 40), at: "4"))
        #expect(try await bench.kept().isEmpty)
    }

    /// A night that begins before a window is not in it, although some of its stages are.
    @Test func aWindowKeepsTheRestOfARecordThatBeganBefore() async throws {
        let bench = EngineBench()
        let parts = [
            ("night#1", Fact.steps(1, day: 0, hour: 23)), ("night#2", Fact.steps(2, day: 1)),
            ("nap#1", Fact.steps(3, day: 1)),
        ]
        try await bench.importSources(post(parts, at: "1"))
        try await bench.importSources(post([], window: window(1...2, date: 20), at: "2"))
        #expect(try await bench.kept() == [parts[0].1, parts[1].1])
    }

    @Test func aWindowDeletesSamplesWithoutIdentifierToo() async throws {
        var post = MemorySource(
            location: "1", provider: "stream", semantics: .changes,
            content: .entries([.sample(.steps(1, day: 0)), .sample(.steps(2, day: 0, hour: 9))]))
        let bench = EngineBench()
        try await bench.importSources(post)
        post.content = .entries([.sample(.steps(2, day: 0, hour: 9))])
        post.windows = [window(0...0, date: 5)]
        post.location = "2"
        try await bench.importSources(post)
        #expect(try await bench.kept() == [.steps(2, day: 0, hour: 9)])
    }
}

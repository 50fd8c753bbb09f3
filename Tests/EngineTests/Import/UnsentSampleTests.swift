import HealthSyncDomain
import HealthSyncEngine
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Samples that an export contains and that the feeds covering them never sent.
@Suite struct UnsentSampleTests {
    private static let types = [SampleTypeDefinition.stepCount, .heartRate]

    private func unsent(_ bench: EngineBench) async throws -> [CalendarDay: Int] {
        try await bench.stores.pages.unsentSamples().days
    }

    private func post(_ facts: [Fact], _ number: Int, provider: String = "feed") -> MemorySource {
        .feed(facts, at: "post \(number)", provider: provider)
    }

    /// The samples of `exported` within what a feed sent of their type and source, and not in it, by day.
    private func expected(_ exported: [Fact], feeds: [[Fact]]) -> [CalendarDay: Int] {
        let lacking = exported.filter { fact in
            let covered = feeds.contains { sent in
                let own = sent.filter { $0.type == fact.type && $0.origin.sourceName == fact.origin.sourceName }
                guard let first = own.map(\.minute).min(), let last = own.map({ $0.minute + $0.minutes }).max() else {
                    return false
                }
                return (first...last).contains(fact.minute)
            }
            return covered && !feeds.contains { $0.contains(fact) }
        }
        return Dictionary(grouping: lacking) { CalendarDay(utcDayOf: $0.start) }.mapValues(\.count)
    }

    /// In any order of posts, exports and repetitions.
    @Test(arguments: Seeds.range(60)) func theCountsFollowFromWhatWasImported(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        let facts = (0..<40).map { number in
            var fact = Fact.steps(Double(number + 1), day: number / 4, hour: number % 4 * 5)
            if number % 3 == 0 { fact.origin = Fact.watch }
            if number % 5 == 0 { fact = .heartRate(Double(60 + number), day: number / 4, hour: number % 4 * 5) }
            return fact
        }
        let bench = EngineBench()
        var sent: [[Fact]] = [[], []]
        var exported: [Fact] = []
        for number in 0..<12 {
            if Int.random(in: 0..<4, using: &random) == 0 {
                exported = Array(facts.prefix(Int.random(in: 20...40, using: &random)))
                try await bench.importSources(
                    .snapshot(exported, on: 20 + number, at: "export \(number)"), types: Self.types,
                    allowDeletions: true)
            } else {
                let feed = Int.random(in: 0..<2, using: &random)
                let first = Int.random(in: 0..<38, using: &random)
                let part = facts[first..<min(40, first + 9)].filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
                sent[feed] += part
                try await bench.importSources(post(part, number, provider: "feed \(feed)"), types: Self.types)
            }
            #expect(try await unsent(bench) == expected(exported, feeds: sent), "after import \(number)")
        }
    }

    @Test func aCountIsClearedWhenTheFeedSendsTheSamples() async throws {
        let facts = (0..<6).map { Fact.steps(Double($0 + 1), day: $0) }
        let bench = EngineBench()
        try await bench.importSources(post([facts[0], facts[5]], 1))
        try await bench.importSources(.snapshot(facts, on: 9))
        #expect(try await unsent(bench).count == 4)
        try await bench.importSources(post(Array(facts[1...3]), 2))
        #expect(try await unsent(bench) == [Fact.day(4): 1])
        try await bench.importSources(post([facts[4]], 3))
        #expect(try await unsent(bench).isEmpty)
    }

    /// A sum by the feed contains what starts in it; a sample that a stream deleted was sent.
    @Test func sumsAndDeletionsCountAsSent() async throws {
        let facts = [Fact.steps(1, day: 0), .steps(2, day: 1), .steps(3, day: 2), .steps(4, day: 3)]
        let bench = EngineBench()
        var sum = Fact(origin: Fact.buckets, minute: facts[1].minute - 60, minutes: 1_440, value: 9)
        try await bench.importSources(.snapshot(facts, on: 9))
        sum.minute -= 1_440
        try await bench.importSources(post([sum], 1, provider: "sums"))
        var stream = MemorySource(
            location: "stream", provider: "stream", semantics: .changes,
            content: .entries([.sample(facts[0]), .sample(facts[3]), .sample(facts[2])]))
        stream.details = ["a", "b", "c"].map { SampleDetail(externalID: $0) }
        try await bench.importSources(stream)
        #expect(try await unsent(bench) == [Fact.day(1): 1])
        stream.location = "deletion"
        stream.content = .entries([])
        stream.deletions = [DeletedSample(externalID: "c")]
        try await bench.importSources(stream)
        #expect(try await unsent(bench) == [Fact.day(1): 1])
        sum.minute += 1_440
        try await bench.importSources(post([sum], 2, provider: "sums"))
        #expect(try await unsent(bench).isEmpty)
    }

    /// An export on its own, and samples before and after what the feed covers, are nobody's omission.
    @Test func withoutAFeedNothingIsMissing() async throws {
        let facts = (0..<6).map { Fact.steps(Double($0 + 1), day: $0) }
        let bench = EngineBench()
        try await bench.importSources(.snapshot(facts, on: 9))
        #expect(try await unsent(bench).isEmpty)
        try await bench.importSources(post([facts[2], facts[3]], 1))
        #expect(try await unsent(bench).isEmpty)
        var watch = facts[2]
        watch.origin = Fact.watch
        watch.minute += 20
        try await bench.importSources(.snapshot(facts + [watch], on: 10))
        #expect(try await unsent(bench).isEmpty)
    }
}

import HealthSyncDomain
import HealthSyncEngine
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// A phone app sends sums and measurements of a window again and again, with corrections. Deliveries may arrive in any
/// order.
@Suite struct FeedOrderTests {
    private static let types = [SampleTypeDefinition.stepCount, .heartRate, .sleepAnalysis]

    private struct Delivery {
        var version: Int64
        var facts: [Fact]

        var statement: FeedStatement {
            FeedStatement(
                version: version,
                intervals: Dictionary(grouping: facts, by: \.type.type).map { type, facts in
                    FeedStatement.Interval(
                        type: type, start: facts.map(\.start).min() ?? facts[0].start,
                        end: facts.map { $0.start.advanced(bySeconds: Int64($0.minutes) * 60) }.max() ?? facts[0].start)
                })
        }
    }

    /// What the app sends at each time, and what counts in the end.
    private func deliveries(_ random: inout SeededRandom) -> (all: [Delivery], expected: [Fact]) {
        var facts: [Fact] = []
        var all: [Delivery] = []
        var stated: [Fact: Fact] = [:]
        for hour in 0..<40 {
            facts.append(Fact(origin: Fact.buckets, minute: hour * 60, minutes: 60, value: Double(100 + hour)))
            facts.append(Fact(type: .heartRate, origin: Fact.watch, minute: hour * 60 + 7, minutes: 0, value: 60))
            facts.append(.core(from: hour * 60 + 9, minutes: 20))
            for place in facts.indices where Int.random(in: 0..<6, using: &random) == 0 {
                facts[place].value +=
                    facts[place].type == .sleepAnalysis ? -facts[place].value + Double(hour % 3 + 3) : 1
            }
            guard hour % 3 == 0 else { continue }
            let first = max(0, hour - Int.random(in: 2...30, using: &random)) * 60
            let sent = facts.filter { $0.minute >= first }
            all.append(Delivery(version: Int64(hour + 1), facts: sent))
            for fact in sent {
                var place = fact
                place.value = 0
                stated[place] = fact
            }
        }
        return (all, stated.values.sorted())
    }

    private func source(_ deliveries: [Delivery], _ number: Int) -> MemorySource {
        var source = MemorySource.feed(deliveries.flatMap(\.facts), at: "delivery \(number)")
        source.statements = deliveries.map { ($0.statement, $0.facts.count) }
        return source
    }

    @Test(arguments: Seeds.range(40)) func theNewestStatementCounts(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        let (all, expected) = deliveries(&random)
        for round in 0..<4 {
            var rest = (all + all.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }).shuffled(using: &random)[
                ...]
            if round == 0 { rest = all[...] }
            let bench = EngineBench()
            var number = 0
            while !rest.isEmpty {
                number += 1
                let part = rest.prefix(round == 0 ? 1 : Int.random(in: 1...round, using: &random))
                rest = rest.dropFirst(part.count)
                try await bench.importSources(source(Array(part), number), types: Self.types)
            }
            #expect(try await bench.kept(Self.types) == expected, "round \(round)")
        }
    }

    /// A late delivery still adds what no newer one contained.
    @Test func aLateDeliveryAddsWhatIsMissing() async throws {
        let facts = (0..<4).map { Fact.heartRate(Double(60 + $0), day: 0, hour: $0) }
        let bench = EngineBench()
        var corrected = facts[3]
        corrected.value = 99
        try await bench.importSources(
            source([Delivery(version: 9, facts: [facts[0], corrected])], 1), types: Self.types)
        try await bench.importSources(source([Delivery(version: 3, facts: facts)], 2), types: Self.types)
        #expect(try await bench.kept(Self.types) == [facts[0], facts[1], facts[2], corrected])
    }

    /// Without a statement of its time, a delivery is as old as its last measurement, or an export of the past.
    @Test func theVersionOfADelivery() {
        let arrival = Instant(seconds: 1_000_000)
        #expect(FeedStatement.version(latest: arrival.advanced(bySeconds: -60), arrival: arrival) == 999_940_000)
        #expect(FeedStatement.version(latest: arrival.advanced(bySeconds: -300_000), arrival: arrival) == 1_000_000_000)
        #expect(FeedStatement.version(latest: arrival.advanced(bySeconds: 60), arrival: arrival) == 1_000_000_000)
        #expect(FeedStatement.version(latest: nil, arrival: arrival) == 1_000_000_000)
    }
}

import HealthSyncDomain
import HealthSyncEngine
import HealthSyncTestKit
import Testing

/// What a later delivery of a feed without identifiers states for a start replaces what an earlier one stated.
@Suite struct RestatementTests {
    private static let types = [SampleTypeDefinition.stepCount, .sleepAnalysis, .heartRate]

    /// Milliseconds since 1970 at a minute after 2024-01-15T00:00:00Z.
    private static func time(_ minute: Int) -> Int64 { Fact(minute: minute, value: 0).start.milliseconds }

    private func delivery(_ facts: [Fact], made: Int64, session: ClosedRange<Int>? = nil) -> MemorySource {
        var source = MemorySource.feed(facts, at: "delivery \(made) \(facts.hashValue)")
        var statement = FeedStatement(version: made, intervals: [], keepsVersion: true)
        if let session {
            statement.session = FeedStatement.Session(
                sourceName: facts[0].origin.sourceName, start: Fact(minute: session.lowerBound, value: 0).start,
                end: Fact(minute: session.upperBound, value: 0).start)
        }
        source.statements = [(statement, facts.count)]
        return source
    }

    private func kept(after sources: [MemorySource]) async throws -> (facts: [Fact], clipped: Int) {
        let bench = EngineBench()
        var clipped = 0
        for source in sources {
            let reports = try await bench.importSources([source], types: Self.types)
            #expect(reports.map(\.addsUp) == [true])
            clipped += reports.map(\.clipped).reduce(0, +)
        }
        return (try await bench.kept(Self.types), clipped)
    }

    private func steps(_ value: Double, minutes: Int = 60) -> Fact { Fact(minute: 480, minutes: minutes, value: value) }

    /// An interval is over if it ends at the time of the delivery or before.
    @Test(arguments: [(Int64(0), 500.0), (-1, 450)]) func aSmallerSumOfAFinishedIntervalIsIgnored(
        late: Int64, expected: Double
    ) async throws {
        let end = Self.time(540)
        let (first, second) = (delivery([steps(500)], made: end + late), delivery([steps(450)], made: end + 9_000))
        for sources in [[first, second], [second, first]] {
            let result = try await kept(after: sources)
            #expect(result.facts == [steps(expected)])
            if sources[0].location == first.location { #expect(result.clipped == (late == 0 ? 1 : 0)) }
        }
    }

    @Test func onlyASmallerSumThatEndsNoLaterIsClipped() async throws {
        let made = Self.time(2_000)
        let first = delivery([steps(500)], made: made)
        for (later, counts) in [
            (steps(500), true), (steps(499), false), (steps(501), true), (steps(400, minutes: 61), true),
            (steps(400, minutes: 59), false),
        ] {
            let result = try await kept(after: [first, delivery([later], made: made + 1)])
            #expect(result.facts == [counts ? later : steps(500)])
            #expect(result.clipped == (counts ? 0 : 1))
        }
    }

    @Test func entriesReplaceAsASetInAnyOrderOfArrival() async throws {
        let made = Self.time(480)
        let deliveries = [
            delivery([steps(500), steps(200, minutes: 30)], made: made),
            delivery([steps(300), steps(100, minutes: 20)], made: made + 1), delivery([steps(250)], made: made + 2),
        ]
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1], [2, 0, 1, 1, 0, 2]] {
            let facts = try await kept(after: order.map { deliveries[$0] }).facts
            #expect(facts == [steps(250)], "\(order)")
        }
        #expect(try await kept(after: [deliveries[1], deliveries[0]]).facts == [steps(100, minutes: 20), steps(300)])
    }

    /// Of posts with one time the later arrival counts.
    @Test func ofEqualTimesTheLaterArrivalCounts() async throws {
        let made = Self.time(480)
        let (first, second) = (delivery([steps(500)], made: made), delivery([steps(300)], made: made))
        #expect(try await kept(after: [first, second]).facts == [steps(300)])
        #expect(try await kept(after: [second, first]).facts == [steps(500)])
    }

    /// A version that could not replace stored each statement next to the former.
    @Test func samplesOfAnEarlierVersionOfTheProgramAreReplaced() async throws {
        let former = MemorySource.feed([steps(1_000), steps(3_000), steps(8_000)])
        let result = try await kept(after: [former, delivery([steps(9_000)], made: Self.time(2_000))])
        #expect(result.facts == [steps(9_000)])
        let clipped = try await kept(after: [former, delivery([steps(2_500)], made: Self.time(2_000))])
        #expect(clipped.facts == [steps(1_000), steps(3_000), steps(8_000)] && clipped.clipped == 1)
    }

    @Test func absenceAndAnotherOriginReplaceNothing() async throws {
        let other = Fact(origin: Fact.watch, minute: 480, minutes: 60, value: 9)
        let made = Self.time(2_000)
        let result = try await kept(after: [
            delivery([steps(500), other], made: made), delivery([Fact(minute: 700, value: 7)], made: made + 1),
        ])
        #expect(result.facts == [other, steps(500), Fact(minute: 700, value: 7)].sorted())
    }

    /// A restated sample is known, and one with another value is a correction.
    @Test func aRestatementIsNotCountedAsNew() async throws {
        let bench = EngineBench()
        let made = Self.time(2_000)
        try await bench.importSources(delivery([steps(500)], made: made))
        let same = try await bench.importSources(delivery([steps(500)], made: made + 1))
        #expect(same.map(\.stored) == [0] && same.map(\.alreadyKnown) == [1] && same.map(\.corrected) == [0])
        let other = try await bench.importSources(delivery([steps(600)], made: made + 2))
        #expect(other.map(\.stored) == [0] && other.map(\.alreadyKnown) == [1] && other.map(\.corrected) == [1])
        #expect(other.map(\.deleted) == [0])
    }

    @Test func ofOverlappingSessionsOfAnAppTheLastOneCountsAsAWhole() async throws {
        let made = Self.time(4_000)
        func session(_ range: ClosedRange<Int>, _ later: Int64, origin: SampleOrigin = Fact.watch) -> MemorySource {
            let middle = (range.lowerBound + range.upperBound) / 2
            return delivery(
                [
                    .core(from: range.lowerBound, minutes: middle - range.lowerBound, origin: origin),
                    .core(from: middle, minutes: range.upperBound - middle, origin: origin),
                ], made: made + later, session: range)
        }
        // Across midnight in UTC, so that the parts are on two pages.
        let (night, moved, touching) = (session(-100...300, 1), session(290...700, 2), session(700...800, 3))
        let other = session(0...200, 4, origin: Fact.phone)
        let expected = [moved, touching, other]
        for sources in [
            [night, moved, touching, other], [other, touching, moved, night], [moved, night, touching, other],
        ] {
            let facts = try await kept(after: sources).facts
            let alone = try await kept(after: expected).facts
            #expect(facts == alone, "\(sources.map(\.location))")
            #expect(facts.count == 6)
        }
        // `moved` ended `night`, although `longer` ended `moved`.
        let longer = session(310...900, 5)
        for sources in [
            [night, moved, longer], [longer, moved, night], [moved, longer, night], [night, longer, moved],
        ] {
            let alone = try await kept(after: [longer]).facts
            #expect(try await kept(after: sources).facts == alone)
        }
    }
}

import HealthSyncDomain
import HealthSyncEngine
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Exactly the differences are found, for any contents of both sides.
@Suite struct VerifyPropertyTests {
    private struct Pair {
        var local: [Fact] = []
        var server: [RawSample] = []
        var expected: Set<SampleDifference> = []

        /// Samples near each other or years apart, and a server that lacks, changes and adds some of them.
        init(seed: UInt64) {
            var random = SeededRandom(seed: seed)
            let span = [30, 600, 20_000, 400_000].randomElement(using: &random) ?? 30
            let change = [0, 1, 3, 40].randomElement(using: &random) ?? 0
            var minutes = Set<Int>()
            for _ in 0..<Int.random(in: 0...80, using: &random) {
                minutes.insert(Int.random(in: 0...span, using: &random) - span / 2)
            }
            for minute in minutes.sorted() {
                let fact = Fact(minute: minute, value: Double(Int.random(in: 1...90, using: &random)))
                let isLocal = Int.random(in: 0..<100, using: &random) >= change
                if isLocal { local.append(fact) }
                add(VerifyBench.sample(fact), isLocal: isLocal, change: change, &random)
            }
        }

        private mutating func add(
            _ sample: RawSample, isLocal: Bool, change: Int, _ random: inout SeededRandom
        ) {
            var theirs = sample
            theirs.revision = Int.random(in: 0...2, using: &random)
            guard isLocal else {
                server.append(theirs)
                expected.insert(
                    SampleDifference(kind: .surplus, id: theirs.id, start: theirs.start, revision: theirs.revision))
                return
            }
            switch Int.random(in: 0..<300, using: &random) {
            case 0..<change:
                expected.insert(SampleDifference(kind: .missing, id: sample.id, start: sample.start))
                return
            case 100..<100 + change: theirs.value += 1
            case 200..<200 + change: theirs.end = theirs.end.advanced(bySeconds: 1)
            default:
                server.append(theirs)
                return
            }
            server.append(theirs)
            expected.insert(
                SampleDifference(kind: .changed, id: sample.id, start: sample.start, revision: theirs.revision))
        }
    }

    @Test(arguments: Seeds.range(50))
    func exactlyTheDifferencesAreNamed(block: UInt64) async throws {
        for seed in block * 40..<(block + 1) * 40 {
            let pair = Pair(seed: seed)
            let bench = VerifyBench()
            _ = try await bench.keep(pair.local)
            bench.server.hold(pair.server.reversed(), of: VerifyBench.type.type)
            let found = try await bench.verify()
            #expect(Set(found.flatMap(\.samples)) == pair.expected, "seed \(seed)")
            #expect(found.flatMap(\.samples).count == pair.expected.count, "seed \(seed): once each")
            #expect(found.allSatisfy { part in part.samples.allSatisfy { part.interval.contains($0.start) } })
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.interval.end <= $1.interval.start })
        }
    }

    @Test(arguments: Seeds.range(20))
    func onlyTheRequestedDaysAreCompared(block: UInt64) async throws {
        for seed in block * 10..<(block + 1) * 10 {
            let pair = Pair(seed: seed)
            let bench = VerifyBench()
            _ = try await bench.keep(pair.local)
            bench.server.hold(pair.server, of: VerifyBench.type.type)
            let days = Fact.days(-2, 3)
            let range = bench.bench.clock.interval(of: days)
            let found = try await bench.verify(days)
            #expect(Set(found.flatMap(\.samples)) == pair.expected.filter { range.contains($0.start) }, "seed \(seed)")
        }
    }
}

import HealthSyncDomain
import HealthSyncTestKit

/// A random set of samples: dense and sparse ranges, also before 2001 and after 2035, with many samples at the same
/// instant and many at edges of the grid.
struct RandomLife {
    struct Sample {
        var start: Instant
        var steps: Int64
        var id: SampleID
    }

    var samples: [Sample] = []
    let rule: LayeringRule

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        rule =
            Bool.random(using: &random)
            ? LayeringRule(measure: .steps, limit: Int64.random(in: 1...20_000, using: &random))
            : LayeringRule(measure: .samples, limit: Int64.random(in: 1...40, using: &random))
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let begin = Int64.random(in: -1_000_000_000...3_500_000_000, using: &random)
            let spread = Int64(1) << Int64.random(in: 0...28, using: &random)
            let snap: Int64? = Bool.random(using: &random) ? 512 << Int64.random(in: 0...6, using: &random) : nil
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                var seconds = begin + Int64.random(in: 0..<spread, using: &random)
                if let snap { seconds -= seconds % snap }
                samples.append(Self.sample(at: Instant(seconds: seconds), &random))
            }
        }
        if samples.isEmpty { samples.append(Self.sample(at: Instant(seconds: 0), &random)) }
    }

    static func sample(at start: Instant, _ random: inout SeededRandom) -> Sample {
        Sample(
            start: start, steps: Int64.random(in: 0...3_000, using: &random),
            id: SampleID(high: random.next(), low: random.next()))
    }

    static func aggregates(of samples: [Sample]) -> LayeringAggregates {
        var builder = LayeringAggregates.Builder()
        for sample in samples { builder.add(start: sample.start, steps: sample.steps, id: sample.id) }
        return builder.aggregates()
    }

    static func figures(of samples: some Sequence<Sample>) -> IntervalFigures {
        var figures = IntervalFigures()
        for sample in samples { figures.insert(sample.id, steps: sample.steps) }
        return figures
    }

    func leaves(of samples: [Sample]? = nil) -> [SyncInterval] {
        Layering(rule).leaves(of: Self.aggregates(of: samples ?? self.samples))
    }

    /// Returns the samples that start within `interval` by linear search.
    func samples(in interval: GridInterval) -> [Sample] { samples.filter { interval.contains($0.start) } }
}

import HealthSyncDomain
import HealthSyncTestKit
import Testing

/// Properties of the tree for any samples, checked over thousands of random sets.
@Suite struct LayeringPropertyTests {
    private static let seeds: ClosedRange<UInt64> = 1...2_000

    @Test func leavesCoverTimeWithoutGapsOrOverlaps() throws {
        for seed in Self.seeds {
            let life = RandomLife(seed: seed)
            let leaves = life.leaves()
            let starts = life.samples.map(\.start)
            let first = try #require(starts.min())
            let last = try #require(starts.max())
            #expect(leaves.first?.interval.contains(first) == true, "seed \(seed)")
            #expect(leaves.last?.interval.contains(last) == true, "seed \(seed)")
            for (left, right) in zip(leaves, leaves.dropFirst()) {
                #expect(left.interval.end == right.interval.start, "seed \(seed)")
            }
        }
    }

    @Test func onlyTheShortestLeavesExceedTheLimit() {
        for seed in Self.seeds {
            let life = RandomLife(seed: seed)
            for leaf in life.leaves() where leaf.interval.exponent > GridInterval.shortestExponent {
                #expect(life.rule.admits(leaf.figures), "seed \(seed)")
            }
        }
    }

    @Test func noTwoHalvesCouldBeOneLeaf() {
        for seed in Self.seeds {
            let life = RandomLife(seed: seed)
            for leaf in life.leaves() where leaf.interval.exponent < GridInterval.rootExponent {
                let parent = GridInterval(
                    containing: leaf.interval.start, exponent: leaf.interval.exponent + 1)
                #expect(!life.rule.admits(RandomLife.figures(of: life.samples(in: parent))), "seed \(seed)")
            }
        }
    }

    @Test func everySampleIsInExactlyOneLeaf() {
        for seed in Self.seeds {
            let life = RandomLife(seed: seed)
            let leaves = life.leaves()
            for leaf in leaves {
                #expect(
                    leaf.figures == RandomLife.figures(of: life.samples(in: leaf.interval)), "seed \(seed)")
            }
            #expect(leaves.reduce(0) { $0 + $1.figures.sampleCount } == life.samples.count, "seed \(seed)")
        }
    }

    @Test func theOrderOfArrivalDoesNotMatter() {
        for seed in Self.seeds {
            let life = RandomLife(seed: seed)
            var random = SeededRandom(seed: seed &+ 1)
            #expect(life.leaves(of: life.samples.shuffled(using: &random)) == life.leaves(), "seed \(seed)")
        }
    }

    @Test func anAddedSampleChangesOnlyItsPath() {
        for seed in Self.seeds {
            let life = RandomLife(seed: seed)
            var random = SeededRandom(seed: seed &+ 2)
            let near = life.samples.randomElement(using: &random)?.start ?? Instant(seconds: 0)
            let added = RandomLife.sample(
                at: near.advanced(bySeconds: Int64.random(in: -100_000...100_000, using: &random)), &random)
            let before = life.leaves()
            let after = life.leaves(of: life.samples + [added])
            let extent = InstantRange(
                start: before.first?.interval.start ?? near, end: before.last?.interval.end ?? near)
            let old = Set(before)
            let home = before.first { $0.interval.contains(added.start) }?.interval
            for leaf in after where !old.contains(leaf) {
                let isOnPath = leaf.interval.contains(added.start)
                let isBesidePath = home.map { $0.contains(leaf.interval.start) } ?? false
                let isBeyond = leaf.interval.start >= extent.end || leaf.interval.end <= extent.start
                #expect(isOnPath || isBesidePath || (isBeyond && leaf.figures.sampleCount == 0), "seed \(seed)")
            }
        }
    }

    @Test func keptLeavesReplaceTheirSamples() {
        for seed in Self.seeds {
            let life = RandomLife(seed: seed)
            var random = SeededRandom(seed: seed &+ 3)
            let leaves = life.leaves()
            let dissolved = leaves.filter { _ in Bool.random(using: &random) }
            let removed = dissolved.first.flatMap { life.samples(in: $0.interval).first?.id }
            let now = life.samples.filter { $0.id != removed }
            var builder = LayeringAggregates.Builder()
            for leaf in leaves where !dissolved.contains(leaf) { builder.add(leaf) }
            for sample in now where dissolved.contains(where: { $0.interval.contains(sample.start) }) {
                builder.add(start: sample.start, steps: sample.steps, id: sample.id)
            }
            #expect(Layering(life.rule).leaves(of: builder.aggregates()) == life.leaves(of: now), "seed \(seed)")
        }
    }

    @Test func figuresOfAParentAreTheSumOfItsHalves() {
        for seed in Self.seeds {
            let life = RandomLife(seed: seed)
            let aggregates = RandomLife.aggregates(of: life.samples)
            for sample in life.samples.prefix(5) {
                var interval = GridInterval.root(containing: sample.start)
                while let (left, right) = interval.halves {
                    #expect(
                        aggregates.figures(of: interval) == aggregates.figures(of: left)
                            + aggregates.figures(of: right),
                        "seed \(seed)")
                    interval = left.contains(sample.start) ? left : right
                }
            }
        }
    }
}

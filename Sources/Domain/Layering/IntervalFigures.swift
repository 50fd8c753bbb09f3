/// Figures about the samples that start within an interval. They are additive: the figures of an interval are the sum
/// of the figures of its halves.
package struct IntervalFigures: Hashable, Sendable, AdditiveArithmetic {
    /// The sum of the steps as whole numbers; 0 for types other than steps.
    package var stepCount: Int64
    /// The number of samples and the sum of their ids.
    package var digest: IntervalDigest

    /// Creates figures from their parts, by default those of no samples.
    package init(stepCount: Int64 = 0, digest: IntervalDigest = IntervalDigest()) {
        self.stepCount = stepCount
        self.digest = digest
    }

    /// The figures of no samples.
    package static var zero: IntervalFigures { IntervalFigures() }

    /// The number of samples.
    package var sampleCount: Int { digest.count }

    /// Adds one sample with `steps` steps.
    package mutating func insert(_ id: SampleID, steps: Int64) {
        stepCount &+= steps
        digest.insert(id)
    }

    /// Returns the figures of the union of two disjoint sets.
    package static func + (left: IntervalFigures, right: IntervalFigures) -> IntervalFigures {
        IntervalFigures(stepCount: left.stepCount &+ right.stepCount, digest: left.digest + right.digest)
    }

    /// Returns the figures of `left` without the samples of `right`, which must be a subset of `left`.
    package static func - (left: IntervalFigures, right: IntervalFigures) -> IntervalFigures {
        IntervalFigures(stepCount: left.stepCount &- right.stepCount, digest: left.digest - right.digest)
    }
}

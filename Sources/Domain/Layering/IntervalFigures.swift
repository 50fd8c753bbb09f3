/// What is known of the samples that start within an interval; additive: the figures of an interval are the sum of its
/// halves'.
package struct IntervalFigures: Hashable, Sendable, AdditiveArithmetic {
    /// Steps of the samples, as whole numbers; 0 for types that count none.
    package var stepCount: Int64
    /// How many samples, and the sum of their ids.
    package var digest: IntervalDigest

    /// Figures of these parts; of no samples without any.
    package init(stepCount: Int64 = 0, digest: IntervalDigest = IntervalDigest()) {
        self.stepCount = stepCount
        self.digest = digest
    }

    /// Figures of no samples.
    package static var zero: IntervalFigures { IntervalFigures() }

    /// Number of samples.
    package var sampleCount: Int { digest.count }

    /// Adds one sample of `steps` steps.
    package mutating func insert(_ id: SampleID, steps: Int64) {
        stepCount &+= steps
        digest.insert(id)
    }

    /// The figures of both sets together, which must have no sample in common.
    package static func + (left: IntervalFigures, right: IntervalFigures) -> IntervalFigures {
        IntervalFigures(stepCount: left.stepCount &+ right.stepCount, digest: left.digest + right.digest)
    }

    /// The figures of what is left of `left` without `right`, all of whose samples `left` must have.
    package static func - (left: IntervalFigures, right: IntervalFigures) -> IntervalFigures {
        IntervalFigures(stepCount: left.stepCount &- right.stepCount, digest: left.digest - right.digest)
    }
}

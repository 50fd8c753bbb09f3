/// Digests of all samples of a type as running totals, one for each stretch of 512 s that has samples: the digest of any
/// interval of the grid is a difference of two.
package struct RunningDigests: Sendable {
    private var totals = CellTotals<SampleSetDigest>()

    package init() {}

    /// Adds a sample, which must not start before an earlier one.
    package mutating func append(_ sample: RawSample) {
        totals.change(at: GridInterval.shortest(containing: sample.start).start.milliseconds) { $0.insert(sample) }
    }

    /// The digest of the samples that start within `interval`.
    package func digest(of interval: GridInterval) -> SampleSetDigest { totals[interval] }
}

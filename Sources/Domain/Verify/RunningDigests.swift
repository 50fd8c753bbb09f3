/// Digests of all samples of a type as running totals, one for each nonempty cell of 512 s. The digest of any
/// interval of the grid is the difference of two totals.
package struct RunningDigests: Sendable {
    private var totals = CellTotals<SampleSetDigest>()

    package init() {}

    /// Adds a sample, which must not start before an earlier one.
    package mutating func append(_ sample: RawSample) {
        totals.change(at: GridInterval.shortest(containing: sample.start).start.milliseconds) { $0.insert(sample) }
    }

    /// Returns the digest of the samples that start within `interval`.
    package func digest(of interval: GridInterval) -> SampleSetDigest { totals[interval] }
}

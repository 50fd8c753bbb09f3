/// Digests of all samples of a type as running totals, one for each stretch of 512 s that has samples: the digest of any
/// interval of the grid is a difference of two.
package struct RunningDigests: Sendable {
    /// Starts of the stretches, in milliseconds since 1970, ascending.
    private var starts: [Int64] = []
    /// Of everything before the stretch at the same index; one more than there are stretches.
    private var totals = [SampleSetDigest()]

    package init() {}

    /// Adds a sample, which must not start before an earlier one.
    package mutating func append(_ sample: RawSample) {
        let cell = GridInterval(containing: sample.start, exponent: GridInterval.shortestExponent).start.milliseconds
        if starts.last != cell {
            starts.append(cell)
            totals.append(totals[totals.count - 1])
        }
        totals[totals.count - 1].insert(sample)
    }

    /// The digest of the samples that start within `interval`.
    package func digest(of interval: GridInterval) -> SampleSetDigest {
        totals[place(of: interval.end)] - totals[place(of: interval.start)]
    }

    /// How many stretches begin before `instant`.
    private func place(of instant: Instant) -> Int {
        starts.partitionPoint { $0 < instant.milliseconds }
    }
}

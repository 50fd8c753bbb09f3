/// A server's digest of the samples that start within an interval of the grid.
package struct HalvedDigest: Hashable, Sendable {
    package var whole: SampleSetDigest
    /// The digests of the two halves. If their sum is not `whole`, the server contradicts itself.
    package var first: SampleSetDigest
    package var second: SampleSetDigest

    package init(whole: SampleSetDigest, first: SampleSetDigest, second: SampleSetDigest) {
        self.whole = whole
        self.first = first
        self.second = second
    }

    /// Whether the sum of the halves equals the whole.
    package var isConsistent: Bool { first + second == whole }
}

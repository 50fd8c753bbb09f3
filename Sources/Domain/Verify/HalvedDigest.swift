/// What a server says of the samples that start within an interval of the grid.
package struct HalvedDigest: Hashable, Sendable {
    package var whole: SampleSetDigest
    /// Of the two halves; their sum is `whole`, or the server contradicts itself.
    package var first: SampleSetDigest
    package var second: SampleSetDigest

    package init(whole: SampleSetDigest, first: SampleSetDigest, second: SampleSetDigest) {
        self.whole = whole
        self.first = first
        self.second = second
    }

    /// Whether the halves make up the whole.
    package var isConsistent: Bool { first + second == whole }
}

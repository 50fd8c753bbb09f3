/// A digest of a set of samples and their contents: two sets with equal digests are practically always equal. It does
/// not depend on order and is additive: the digest of an interval is the sum of the digests of its halves.
package struct SampleSetDigest: Hashable, Sendable, AdditiveArithmetic {
    /// The number of samples and the sum of their ids.
    package private(set) var ids: IntervalDigest
    /// The sum of `content(of:)` over all samples, modulo 2^64.
    package private(set) var content: UInt64

    /// Creates the digest of the empty set.
    package init() {
        ids = IntervalDigest()
        content = 0
    }

    /// The digest of the empty set.
    package static var zero: SampleSetDigest { SampleSetDigest() }

    /// Creates a digest from its parts.
    package init(ids: IntervalDigest, content: UInt64) {
        self.ids = ids
        self.content = content
    }

    /// The number of samples.
    package var count: Int { ids.count }

    /// Adds one sample, given start and end in milliseconds since 1970.
    package mutating func insert(_ id: SampleID, start: Int64, end: Int64, value: Double) {
        ids.insert(id)
        content &+= Self.content(id, start: start, end: end, value: value)
    }

    /// Adds one sample.
    package mutating func insert(_ sample: RawSample) {
        insert(
            sample.id, start: sample.start.milliseconds, end: sample.end.milliseconds, value: sample.value)
    }

    /// Returns the digest of the union of two disjoint sets.
    package static func + (left: SampleSetDigest, right: SampleSetDigest) -> SampleSetDigest {
        SampleSetDigest(ids: left.ids + right.ids, content: left.content &+ right.content)
    }

    /// Returns the digest of `left` without the samples of `right`, which must be a subset of `left`.
    package static func - (left: SampleSetDigest, right: SampleSetDigest) -> SampleSetDigest {
        SampleSetDigest(ids: left.ids - right.ids, content: left.content &- right.content)
    }

    /// Returns the checksum of a sample: beginning with the last 64 bits of the id, it mixes in start, end and the
    /// bits of the value, each by exclusive or.
    private static func content(_ id: SampleID, start: Int64, end: Int64, value: Double) -> UInt64 {
        // -0 and 0 are the same number in JSON.
        let bits = value == 0 ? 0 : value.bitPattern
        var state = SplitMix.mixed(id.low ^ UInt64(bitPattern: start))
        state = SplitMix.mixed(state ^ UInt64(bitPattern: end))
        return SplitMix.mixed(state ^ bits)
    }
}

/// The mixing function of the digests.
enum SplitMix {
    /// Returns the result of the SplitMix64 step (Steele, Lea and Flood 2014).
    static func mixed(_ word: UInt64) -> UInt64 {
        var state = word &+ 0x9E37_79B9_7F4A_7C15
        state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
        return state ^ (state >> 31)
    }
}

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

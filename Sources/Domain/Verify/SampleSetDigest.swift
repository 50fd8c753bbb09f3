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

/// What tells whether two sets of samples are the same and say the same: which samples there are, and a sum over what
/// each says. Independent of order, and additive: an interval's is the sum of its halves'.
package struct SampleSetDigest: Hashable, Sendable, AdditiveArithmetic {
    /// How many samples, and the sum of their ids.
    package private(set) var ids: IntervalDigest
    /// The sum of `content(of:)` over all samples, modulo 2^64.
    package private(set) var content: UInt64

    /// The digest of the empty set.
    package init() {
        ids = IntervalDigest()
        content = 0
    }

    /// The digest of the empty set.
    package static var zero: SampleSetDigest { SampleSetDigest() }

    /// A digest of these parts.
    package init(ids: IntervalDigest, content: UInt64) {
        self.ids = ids
        self.content = content
    }

    /// Number of samples.
    package var count: Int { ids.count }

    /// Adds one sample: start and end in milliseconds since 1970.
    package mutating func insert(_ id: SampleID, start: Int64, end: Int64, value: Double) {
        ids.insert(id)
        content &+= Self.content(id, start: start, end: end, value: value)
    }

    /// Adds one sample.
    package mutating func insert(_ sample: RawSample) {
        insert(
            sample.id, start: sample.start.milliseconds, end: sample.end.milliseconds, value: sample.value)
    }

    /// The digest of both sets together, which must have no sample in common.
    package static func + (left: SampleSetDigest, right: SampleSetDigest) -> SampleSetDigest {
        SampleSetDigest(ids: left.ids + right.ids, content: left.content &+ right.content)
    }

    /// The digest of what is left of `left` without `right`, all of whose samples `left` must have.
    package static func - (left: SampleSetDigest, right: SampleSetDigest) -> SampleSetDigest {
        SampleSetDigest(ids: left.ids - right.ids, content: left.content &- right.content)
    }

    /// From the last 64 bits of the id on, start, end and the bits of the value are each joined by exclusive or and
    /// mixed.
    private static func content(_ id: SampleID, start: Int64, end: Int64, value: Double) -> UInt64 {
        // -0 and 0 are one number on the wire.
        let bits = value == 0 ? 0 : value.bitPattern
        var state = SplitMix.mixed(id.low ^ UInt64(bitPattern: start))
        state = SplitMix.mixed(state ^ UInt64(bitPattern: end))
        return SplitMix.mixed(state ^ bits)
    }
}

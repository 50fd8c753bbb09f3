/// A digest of a set of samples: their number and the sum of their ids as 128-bit integers. It does not depend on
/// order and is additive: the digest of an interval is the sum of the digests of its halves.
package struct IntervalDigest: Hashable, Sendable {
    package private(set) var count: Int
    /// The upper 64 bits of the sum modulo 2^128.
    package private(set) var high: UInt64
    /// The lower 64 bits of the sum.
    package private(set) var low: UInt64

    /// Creates the digest of the empty set.
    package init() {
        count = 0
        high = 0
        low = 0
    }

    /// Creates a digest from its parts.
    package init(count: Int, high: UInt64, low: UInt64) {
        self.count = count
        self.high = high
        self.low = low
    }

    /// Adds one sample.
    package mutating func insert(_ id: SampleID) { add(count: 1, high: id.high, low: id.low) }

    /// Returns the digest of the union of two disjoint sets.
    package static func + (left: IntervalDigest, right: IntervalDigest) -> IntervalDigest {
        var sum = left
        sum.add(count: right.count, high: right.high, low: right.low)
        return sum
    }

    /// Returns the digest of `left` without the samples of `right`, which must be a subset of `left`.
    package static func - (left: IntervalDigest, right: IntervalDigest) -> IntervalDigest {
        var rest = left
        let (low, borrow) = rest.low.subtractingReportingOverflow(right.low)
        rest.low = low
        rest.high = rest.high &- right.high &- (borrow ? 1 : 0)
        rest.count -= right.count
        return rest
    }

    private mutating func add(count more: Int, high otherHigh: UInt64, low otherLow: UInt64) {
        let (sum, carry) = low.addingReportingOverflow(otherLow)
        low = sum
        high = high &+ otherHigh &+ (carry ? 1 : 0)
        count += more
    }
}

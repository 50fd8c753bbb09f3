/// The digest of a set of samples: how many, and the sum of their ids as 128-bit integers. Independent of order, and
/// additive: an interval's digest is the sum of its halves'.
package struct IntervalDigest: Hashable, Sendable {
    package private(set) var count: Int
    /// The sum's upper 64 bits, modulo 2^128.
    package private(set) var high: UInt64
    /// The sum's lower 64 bits.
    package private(set) var low: UInt64

    /// The digest of the empty set.
    package init() {
        count = 0
        high = 0
        low = 0
    }

    /// A digest of these parts.
    package init(count: Int, high: UInt64, low: UInt64) {
        self.count = count
        self.high = high
        self.low = low
    }

    /// Adds one sample.
    package mutating func insert(_ id: SampleID) { add(count: 1, high: id.high, low: id.low) }

    /// The digest of both sets together, which must have no sample in common.
    package static func + (left: IntervalDigest, right: IntervalDigest) -> IntervalDigest {
        var sum = left
        sum.add(count: right.count, high: right.high, low: right.low)
        return sum
    }

    /// The digest of what is left of `left` without `right`, all of whose samples `left` must have.
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

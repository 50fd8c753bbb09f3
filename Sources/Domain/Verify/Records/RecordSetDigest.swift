/// A digest of a set of derived records: their number and the sum of their contents modulo 2^64. It does not depend
/// on order. The digest of the union of two disjoint sets is the sum of both digests.
package struct RecordSetDigest: Hashable, Sendable, AdditiveArithmetic {
    /// The number of records.
    package private(set) var count: Int
    /// The sum of `RecordEntry.content` over all records.
    package private(set) var content: UInt64

    /// Creates a digest from its parts.
    package init(count: Int, content: UInt64) {
        self.count = count
        self.content = content
    }

    /// The digest of the empty set.
    package static var zero: RecordSetDigest { RecordSetDigest(count: 0, content: 0) }

    /// Adds a record, given its content.
    package mutating func insert(_ content: UInt64) {
        count += 1
        self.content &+= content
    }

    /// Returns the digest of the union of two disjoint sets.
    package static func + (left: RecordSetDigest, right: RecordSetDigest) -> RecordSetDigest {
        RecordSetDigest(count: left.count + right.count, content: left.content &+ right.content)
    }

    /// Returns the digest of `left` without the records of `right`, which must be a subset of `left`.
    package static func - (left: RecordSetDigest, right: RecordSetDigest) -> RecordSetDigest {
        RecordSetDigest(count: left.count - right.count, content: left.content &- right.content)
    }
}

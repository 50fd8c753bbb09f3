/// A digest of a set of derived records, independent of order: how many there are, and the sum of their contents modulo
/// 2^64. The digest of two disjoint sets is the sum of both.
package struct RecordSetDigest: Hashable, Sendable, AdditiveArithmetic {
    /// Number of records.
    package private(set) var count: Int
    /// The sum of `RecordEntry.content` over all records.
    package private(set) var content: UInt64

    /// A digest of these parts.
    package init(count: Int, content: UInt64) {
        self.count = count
        self.content = content
    }

    /// The digest of the empty set.
    package static var zero: RecordSetDigest { RecordSetDigest(count: 0, content: 0) }

    /// Adds a record by its content.
    package mutating func insert(_ content: UInt64) {
        count += 1
        self.content &+= content
    }

    /// The digest of both sets together, which must have no record in common.
    package static func + (left: RecordSetDigest, right: RecordSetDigest) -> RecordSetDigest {
        RecordSetDigest(count: left.count + right.count, content: left.content &+ right.content)
    }

    /// The digest of what is left of `left` without `right`, all of whose records `left` must have.
    package static func - (left: RecordSetDigest, right: RecordSetDigest) -> RecordSetDigest {
        RecordSetDigest(count: left.count - right.count, content: left.content &- right.content)
    }
}

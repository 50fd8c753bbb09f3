/// The digests of all derived records of one kind by month, and of their tombstones.
package struct RecordDigests: Hashable, Sendable {
    /// Months without records are omitted.
    package var months: [CalendarPeriod: RecordSetDigest]
    package var tombstones: RecordSetDigest

    package init(months: [CalendarPeriod: RecordSetDigest] = [:], tombstones: RecordSetDigest = .zero) {
        self.months = months
        self.tombstones = tombstones
    }

    /// The number of records.
    package var count: Int { months.values.reduce(0) { $0 + $1.count } }

    /// Returns the months in which both differ, ascending.
    package func differingMonths(from other: RecordDigests) -> [CalendarPeriod] {
        Set(months.keys).union(other.months.keys).filter { months[$0] != other.months[$0] }.sorted()
    }
}

/// A page of the list of entries on a server, ordered by id.
package struct RecordEntryPage: Hashable, Sendable {
    package var entries: [RecordEntry]
    /// The id after which the next page begins; `nil` for the last page.
    package var next: String?

    package init(entries: [RecordEntry], next: String?) {
        self.entries = entries
        self.next = next
    }
}

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

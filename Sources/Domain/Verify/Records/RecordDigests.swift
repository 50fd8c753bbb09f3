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

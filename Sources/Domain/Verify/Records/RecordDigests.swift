/// The digests of all derived records of one kind, by the month of their day, and of their tombstones.
package struct RecordDigests: Hashable, Sendable {
    /// Months without records are absent.
    package var months: [CalendarPeriod: RecordSetDigest]
    package var tombstones: RecordSetDigest

    package init(months: [CalendarPeriod: RecordSetDigest] = [:], tombstones: RecordSetDigest = .zero) {
        self.months = months
        self.tombstones = tombstones
    }

    /// Number of records.
    package var count: Int { months.values.reduce(0) { $0 + $1.count } }

    /// The months in which both differ, ascending.
    package func differingMonths(from other: RecordDigests) -> [CalendarPeriod] {
        Set(months.keys).union(other.months.keys).filter { months[$0] != other.months[$0] }.sorted()
    }
}

/// A part of the entries that a server lists, by id.
package struct RecordEntryPage: Hashable, Sendable {
    package var entries: [RecordEntry]
    /// The id after which the next page begins; `nil` for the last page.
    package var next: String?

    package init(entries: [RecordEntry], next: String?) {
        self.entries = entries
        self.next = next
    }
}

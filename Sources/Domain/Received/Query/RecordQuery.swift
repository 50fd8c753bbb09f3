/// A query for stored records, ordered by day, start and id.
package struct RecordQuery: Hashable, Sendable {
    package var user: UserName
    package var kind: RecordKind
    /// Only the record with this id.
    package var id: String?
    /// Only entries of this metric.
    package var type: String?
    /// Only `hour` or `day` entries.
    package var granularity: String?
    /// Only this day and later ones.
    package var from: CalendarDay?
    /// Only this day and earlier ones.
    package var through: CalendarDay?
    /// Whether the order is reversed.
    package var isDescending = false
    /// The number of records to skip.
    package var offset = 0
    /// The maximum number of records.
    package var limit = 100

    package init(user: UserName, kind: RecordKind) {
        self.user = user
        self.kind = kind
    }
}

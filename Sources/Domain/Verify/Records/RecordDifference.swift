/// A derived record in which the local database and a server differ.
package struct RecordDifference: Hashable, Sendable {
    /// What differs.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Stored locally; the server does not have it.
        case missing
        /// The server has it; it is not stored locally.
        case surplus
        /// Both have it, with another revision or other values.
        case changed
        /// Deleted locally; the server does not have the tombstone, or one of a lower revision.
        case undeleted
    }

    package var kind: Kind
    package var id: String
    /// The day under which the record is listed; `nil` for a tombstone.
    package var day: CalendarDay?
    /// The revision that is known of it on the server, of a record or a tombstone; 0 where none is known.
    package var revision: Int
    /// Whether the local database remembers that the record was deleted.
    package var isKnownDeletion = false

    package init(kind: Kind, id: String, day: CalendarDay?, revision: Int = 0) {
        self.kind = kind
        self.id = id
        self.day = day
        self.revision = revision
    }
}

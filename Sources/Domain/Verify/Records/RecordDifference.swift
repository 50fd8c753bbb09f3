/// A difference between the local store and a server in one derived record.
package struct RecordDifference: Hashable, Sendable {
    /// The kind of a difference.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Stored locally, but not on the server.
        case missing
        /// Stored on the server, but not locally.
        case surplus
        /// Stored on both sides with different revisions or values.
        case changed
        /// Deleted locally, but the server has no tombstone or one with a lower revision.
        case undeleted
    }

    package var kind: Kind
    package var id: String
    /// The day under which the record is listed; `nil` for a tombstone.
    package var day: CalendarDay?
    /// The revision of the record or tombstone on the server; 0 if unknown.
    package var revision: Int
    /// Whether a local tombstone of the record exists.
    package var isKnownDeletion = false

    package init(kind: Kind, id: String, day: CalendarDay?, revision: Int = 0) {
        self.kind = kind
        self.id = id
        self.day = day
        self.revision = revision
    }
}

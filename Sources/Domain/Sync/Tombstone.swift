/// A tombstone: the trace of a deleted record or entry, kept so that the deletion can be sent to every server.
package struct Tombstone: Sendable, Hashable {
    /// The id of the record at servers.
    package var sourceID: String
    package var kind: RecordKind
    /// Greater than every revision of the record.
    package var revision: Int
    /// The id of the record whose later revisions supersede the deletion: the day of an entry, otherwise the record's
    /// own id.
    package var orderingKey: String

    package init(sourceID: String, kind: RecordKind, revision: Int, orderingKey: String) {
        self.sourceID = sourceID
        self.kind = kind
        self.revision = revision
        self.orderingKey = orderingKey
    }

    /// Creates the tombstone of a record with an id of its own.
    package init(_ sourceID: String, kind: RecordKind, revision: Int) {
        self.init(sourceID: sourceID, kind: kind, revision: revision, orderingKey: sourceID)
    }
}

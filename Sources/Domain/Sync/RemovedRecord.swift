/// What is left of a record or an entry that is no more, so that every server can be told.
package struct RemovedRecord: Sendable, Hashable {
    /// The id by which servers know it.
    package var sourceID: String
    package var kind: RecordKind
    /// Above every revision under which it was stored.
    package var revision: Int
    /// The id of the record whose later forms outrank the deletion: its day for an entry, its own id for any other.
    package var orderingKey: String

    package init(sourceID: String, kind: RecordKind, revision: Int, orderingKey: String) {
        self.sourceID = sourceID
        self.kind = kind
        self.revision = revision
        self.orderingKey = orderingKey
    }

    /// What is left of a record that is known by its own id.
    package init(_ sourceID: String, kind: RecordKind, revision: Int) {
        self.init(sourceID: sourceID, kind: kind, revision: revision, orderingKey: sourceID)
    }
}

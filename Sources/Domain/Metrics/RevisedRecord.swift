/// A record with its id and revision: a higher revision replaces a lower one.
public struct RevisedRecord<Record: Sendable & Hashable>: Sendable, Hashable {
    /// The record.
    public var record: Record
    /// The id under which the record is stored and delivered. It depends on content and source only.
    public var sourceID: String
    /// The revision, at least 1.
    public var revision: Int

    /// Creates the given revision of `record`.
    public init(_ record: Record, sourceID: String, revision: Int) {
        self.record = record
        self.sourceID = sourceID
        self.revision = revision
    }
}

/// A record with its id and revision: a higher revision replaces a lower one.
public struct RevisedRecord<Record: Sendable & Hashable>: Sendable, Hashable {
    /// The record.
    public var record: Record
    /// The id of the record, which depends on content and source only. A session or snapshot is delivered and deleted
    /// under it. That of a metric's day, such as `steps/2024-01-15`, is the id of the day and its hours together; they
    /// are delivered and deleted under the ids in `DailyProgress.entryIDs`.
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

/// Stored records to be sent again under new revisions, with deletions and the outbox items of both.
package struct ResentRecords: Sendable {
    /// Days of metrics, with their new revisions.
    package var progress: [RevisedRecord<DailyProgress>] = []
    /// Sleep sessions, with their new revisions.
    package var sleep: [RevisedRecord<SleepSession>] = []
    /// Activity snapshots, with their new revisions.
    package var snapshots: [RevisedRecord<ActivitySnapshot>] = []
    /// Tombstones to store.
    package var removed: [Tombstone] = []
    /// Items to enqueue.
    package var outbox: [NewOutboxItem] = []

    package init() {}
}

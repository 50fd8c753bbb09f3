/// Stored records that are sent again under new revisions, with deletions and the items that send both.
package struct ResentRecords: Sendable {
    /// Days of metrics, with their new revisions.
    package var progress: [RevisedRecord<DailyProgress>] = []
    /// Sleep sessions, with their new revisions.
    package var sleep: [RevisedRecord<SleepSession>] = []
    /// Activity snapshots, with their new revisions.
    package var snapshots: [RevisedRecord<ActivitySnapshot>] = []
    /// Deletions to remember.
    package var removed: [RemovedRecord] = []
    /// Items to enqueue.
    package var outbox: [NewOutboxItem] = []

    package init() {}
}

/// Days of one handler, stored in one transaction: the records, the items to send, and the digests by which the next
/// run detects changes.
package struct SyncCommit: Sendable {
    /// The metric of the handler, under which the days are tracked.
    package var metric: HealthMetric
    /// Progress to insert or replace.
    package var progress: [RevisedRecord<DailyProgress>] = []
    /// Keys of progress to delete.
    package var removedProgress: [ProgressKey] = []
    /// Sleep sessions to insert or replace, by source id.
    package var sleep: [RevisedRecord<SleepSession>] = []
    /// Source ids of sleep sessions to delete.
    package var removedSleep: [String] = []
    /// Activity snapshots to insert or replace.
    package var snapshots: [RevisedRecord<ActivitySnapshot>] = []
    /// Days whose activity snapshot is deleted.
    package var removedSnapshots: [CalendarDay] = []
    /// Tombstones of deleted records and entries. A tombstone is removed when the record exists again.
    package var removed: [Tombstone] = []
    /// Items to enqueue. An item with a known key is left unchanged.
    package var outbox: [NewOutboxItem] = []
    /// The digest of the input of each tracked day.
    package var tracking: [CalendarDay: ContentDigest] = [:]
    /// Days that are no longer tracked because there are no samples left to derive them from.
    package var untracked: [CalendarDay] = []

    package init(metric: HealthMetric) { self.metric = metric }

    /// Checks that no two sessions have the same id, because one would replace the other.
    ///
    /// - Throws: `SyncFailure` with `.unexpected` if two sessions have the same id.
    package func requireDistinctSessions() throws(SyncFailure) {
        let ids = sleep.map(\.sourceID) + removedSleep
        guard Set(ids).count < ids.count else { return }
        throw SyncFailure(
            .unexpected, subject: "sleep", reason: "two sleep sessions have the same id",
            advice: "report this bug; the days were not changed")
    }
}

/// The key of a `DailyProgress`.
package struct ProgressKey: Hashable, Sendable {
    package var metric: HealthMetric
    package var day: CalendarDay

    package init(metric: HealthMetric, day: CalendarDay) {
        self.metric = metric
        self.day = day
    }
}

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

/// A record's place in time under its id: a higher revision replaces a lower one.
package struct RevisedRecord<Record: Sendable & Hashable>: Sendable, Hashable {
    package var record: Record
    /// The id under which the record is stored and sent; depends on content and source only.
    package var sourceID: String
    /// 1 for the first form.
    package var revision: Int

    package init(_ record: Record, sourceID: String, revision: Int) {
        self.record = record
        self.sourceID = sourceID
        self.revision = revision
    }
}

/// Days of one handler that are stored together or not at all: records, what is to be sent of them, and the digests
/// by which the next run knows that nothing changed.
package struct SyncCommit: Sendable {
    /// The handler's metric, under which the days are tracked.
    package var metric: HealthMetric
    /// Progress to insert or replace.
    package var progress: [RevisedRecord<DailyProgress>] = []
    /// Progress that is no more, by metric and day.
    package var removedProgress: [ProgressKey] = []
    /// Sleep sessions to insert or replace, by source id.
    package var sleep: [RevisedRecord<SleepSession>] = []
    /// Source ids of sleep sessions that are no more; they stay behind as tombstones with a higher revision.
    package var removedSleep: [RevisedRecord<String>] = []
    /// Activity snapshots to insert or replace.
    package var snapshots: [RevisedRecord<ActivitySnapshot>] = []
    /// Days whose activity snapshot is no more.
    package var removedSnapshots: [CalendarDay] = []
    /// Items to enqueue; an item already known under its key is left as it is.
    package var outbox: [NewOutboxItem] = []
    /// What each tracked day was derived from.
    package var tracking: [CalendarDay: ContentDigest] = [:]
    /// Days that are followed no longer: nothing that they could be derived from is left.
    package var untracked: [CalendarDay] = []

    package init(metric: HealthMetric) { self.metric = metric }
}

/// Names one `DailyProgress`.
package struct ProgressKey: Hashable, Sendable {
    package var metric: HealthMetric
    package var day: CalendarDay

    package init(metric: HealthMetric, day: CalendarDay) {
        self.metric = metric
        self.day = day
    }
}

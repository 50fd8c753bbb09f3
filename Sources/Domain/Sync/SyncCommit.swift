/// A record's place in time under its id: a higher revision replaces a lower one.
package struct RevisedRecord<Record: Sendable & Hashable>: Sendable, Hashable {
    package var record: Record
    /// The id under which the record is stored and sent; depends on content and source only.
    package var sourceID: String
    /// At least 1.
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
    /// Source ids of sleep sessions that are no more.
    package var removedSleep: [String] = []
    /// Activity snapshots to insert or replace.
    package var snapshots: [RevisedRecord<ActivitySnapshot>] = []
    /// Days whose activity snapshot is no more.
    package var removedSnapshots: [CalendarDay] = []
    /// What stays behind of records and entries that are no more, until they are there again.
    package var removed: [RemovedRecord] = []
    /// Items to enqueue; an item already known under its key is left as it is.
    package var outbox: [NewOutboxItem] = []
    /// What each tracked day was derived from.
    package var tracking: [CalendarDay: ContentDigest] = [:]
    /// Days that are followed no longer: nothing that they could be derived from is left.
    package var untracked: [CalendarDay] = []

    package init(metric: HealthMetric) { self.metric = metric }

    /// Throws `SyncFailure` with `.unexpected` where two sessions have one id: one would take the other's place.
    package func requireDistinctSessions() throws(SyncFailure) {
        let ids = sleep.map(\.sourceID) + removedSleep
        guard Set(ids).count < ids.count else { return }
        throw SyncFailure(
            .unexpected, subject: "sleep", reason: "two sleep sessions would be stored under one id",
            advice: "report this; nothing of these days was changed")
    }
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

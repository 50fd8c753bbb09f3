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

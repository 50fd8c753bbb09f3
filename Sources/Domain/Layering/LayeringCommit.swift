/// A change to the intervals of a type, stored in one transaction with the items to be sent.
package struct LayeringCommit: Sendable {
    package var type: SampleType
    /// The rule by which the intervals were divided.
    package var rule: LayeringRule
    /// Starts of the intervals to delete.
    package var removed: [Instant] = []
    /// Intervals to insert, or to replace if one with the same start exists.
    package var intervals: [SyncInterval] = []
    /// Items to be sent: slices of intervals, and deletions. The intervals count as not synced at their servers until
    /// the items are delivered.
    package var outbox: [NewOutboxItem] = []
    /// Intervals that a server has completely and for which nothing is to be sent.
    package var synced: [IntervalKey] = []
    /// Intervals whose queued items are replaced by `outbox`: older items that are not frozen are removed.
    package var superseded: [IntervalKey] = []
    /// Samples that were changed or deleted.
    package var revisions: [SampleRevision] = []
    /// Whether this commit settles the noted changes of pages.
    package var settlesChangedPages = false

    package init(type: SampleType, rule: LayeringRule) {
        self.type = type
        self.rule = rule
    }
}

/// Identifies an interval at one server.
package struct IntervalKey: Hashable, Sendable {
    package var destination: String
    package var start: Instant

    package init(destination: String, start: Instant) {
        self.destination = destination
        self.start = start
    }
}

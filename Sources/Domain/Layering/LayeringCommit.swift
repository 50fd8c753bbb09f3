/// A change of a type's intervals: stored together or not at all, with what is to be sent of it.
package struct LayeringCommit: Sendable {
    package var type: SampleType
    /// By which the intervals were divided.
    package var rule: LayeringRule
    /// Starts of intervals that are no more.
    package var removed: [Instant] = []
    /// Intervals to insert or replace, by start.
    package var intervals: [SyncInterval] = []
    /// What is to be sent: slices of intervals, whose servers do not have these intervals any more until it is
    /// delivered, and deletions.
    package var outbox: [NewOutboxItem] = []
    /// Intervals of which a server has everything and nothing is to be sent.
    package var synced: [IntervalKey] = []
    /// Intervals of which nothing shall wait any longer but what `outbox` holds: what was not frozen is taken out.
    package var superseded: [IntervalKey] = []
    /// Samples that were changed or deleted.
    package var revisions: [SampleRevision] = []
    /// Whether the changes of pages that were noted are dealt with.
    package var settlesChangedPages = false

    package init(type: SampleType, rule: LayeringRule) {
        self.type = type
        self.rule = rule
    }
}

/// Names an interval on its way to one server.
package struct IntervalKey: Hashable, Sendable {
    package var destination: String
    package var start: Instant

    package init(destination: String, start: Instant) {
        self.destination = destination
        self.start = start
    }
}

package import HealthSyncDomain

/// The account of a run: what it came to, so far while it is at work.
package struct RunReport: Sendable {
    /// One for each source or group of files that are one snapshot.
    package var ingests: [IngestReport] = []
    /// What the user should know of the zone that days are counted by, where a source contradicts it.
    package var zoneNotice: String?
    /// What was wrong and did not keep the run from the rest of its work.
    package var problems: [SyncFailure] = []
    /// The days covered; `nil` when there was nothing to cover.
    package var days: DayRange?
    /// One outcome for each metric.
    package var sync = SyncReport()
    /// The days that are still out of date, because the run was bounded or a metric failed.
    package var outOfDate = OutOfDateDays()
    /// What shoes did by themselves; `nil` for a run over the past, which leaves them alone.
    package var shoes: ShoeCheckReport?
    /// One for each type whose samples travel as they are; empty without a server.
    package var layering: [LayeringOutcome] = []
    /// What came of the delivery; `nil` when no server is configured or nothing was to be sent.
    package var delivery: DeliveryReport?
    /// What a repair came to; `nil` for every run that is none.
    package var repair: RepairReport?

    package init() {}

    /// Whether a source broke off before its end.
    package var isInputIncomplete: Bool { ingests.contains { !$0.reading.isComplete } }
}

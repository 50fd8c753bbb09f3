package import HealthSyncDomain

/// The report of a run. It is filled in while the run is active.
package struct RunReport: Sendable {
    /// One for each source or group of files that form one snapshot.
    package var ingests: [IngestReport] = []
    /// A notice for the user if a source contradicts the time zone of the days.
    package var zoneNotice: String?
    /// Problems that did not stop the run.
    package var problems: [SyncFailure] = []
    /// The days covered; `nil` if there are none.
    package var days: DayRange?
    /// One outcome for each metric.
    package var sync = SyncReport()
    /// Days that are still out of date, because the run was limited or a metric failed.
    package var outOfDate = OutOfDateDays()
    /// The changes by automatic sessions; `nil` for a historical run, which does not change sessions.
    package var shoes: ShoeCheckReport?
    /// One for each raw type; empty without a server.
    package var layering: [LayeringOutcome] = []
    /// The result of the delivery; `nil` if no server is configured or nothing was to be sent.
    package var delivery: DeliveryReport?
    /// The result of a repair; `nil` unless the run is a repair.
    package var repair: RepairReport?

    package init() {}

    /// Whether a source was truncated.
    package var isInputIncomplete: Bool { ingests.contains { !$0.reading.isComplete } }
}

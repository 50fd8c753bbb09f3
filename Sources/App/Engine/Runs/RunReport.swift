public import HealthSyncDomain

/// The report of a run. It is filled in while the run is active.
public struct RunReport: Sendable {
    /// One for each source or group of files that form one snapshot.
    package var ingests: [IngestReport] = []
    /// A notice for the user if a source contradicts the time zone of the days.
    public package(set) var zoneNotice: String?
    /// A notice that is shown once after an upgrade: that the default has further metrics, and how their earlier days are
    /// added.
    public package(set) var notice: String?
    /// What the rules of this version changed in figures of the past; `nil` unless this run derived them.
    package var historyChange: HistoryChange?
    /// The records that the server is not offered, if this run added any of them.
    package var omitted: OmittedRecords?
    /// Problems that did not stop the run.
    public package(set) var problems: [SyncFailure] = []
    /// The days covered; `nil` if none exist.
    public package(set) var days: DayRange?
    /// One outcome for each metric.
    public package(set) var sync = SyncReport()
    /// Days that are still out of date, because the run was limited or a metric failed.
    public package(set) var outOfDate = OutOfDateDays()
    /// The changes by automatic sessions; `nil` for a historical run, which does not change sessions.
    package var shoes: ShoeCheckReport?
    /// One for each raw type; empty without a server.
    package var layering: [LayeringOutcome] = []
    /// The result of the delivery; `nil` if no server is configured or nothing was to be sent.
    package var delivery: DeliveryReport?
    /// The result of a repair; `nil` unless the run is a repair.
    package var repair: RepairReport?
    /// Whether the run had no source and nothing was stored.
    package var isWithoutInput = false

    package init() {}

    /// Whether a source was truncated.
    public var isInputIncomplete: Bool { ingests.contains { !$0.reading.isComplete } }

    /// Whether the run read an export, which adds metrics that an upgrade brought.
    package var hasReadExport: Bool { ingests.contains { !$0.isUnchanged && $0.reading.exportDate != nil } }
}

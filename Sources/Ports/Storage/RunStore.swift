package import HealthSyncDomain

/// The history of runs.
///
/// Contract (`RunStoreContract`): each call is one durable transaction; failures of the store are thrown as
/// `SyncFailure` with `.storage`. Only one process at a time begins and ends runs.
package protocol RunStore: Sendable {
    /// Stores the beginning of a run and returns its number, which is higher than any before. Marks earlier runs
    /// without an end as cut off, and deletes all but the last `limit` runs, including this one.
    func begin(_ command: RunCommand, at: Instant, days: DayRange?, keeping limit: Int) async throws -> Int64
    /// Stores the end of a run, and the days it covered if known. Does nothing if the run was deleted or has ended.
    func end(_ id: Int64, _ end: RunEnd, days: DayRange?) async throws
    /// Returns the last `limit` runs, the latest first.
    func lastRuns(limit: Int) async throws -> [RecordedRun]
}

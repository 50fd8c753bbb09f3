package import HealthSyncDomain

/// The runs of the past.
///
/// Contract (`RunStoreContract`): each call is one durable transaction; failures of the store are thrown as `SyncFailure`
/// with `.storage`. One process at a time begins and ends runs.
package protocol RunStore: Sendable {
    /// Remembers that a run begins and returns its number, higher than any before. Marks those cut off that have no end,
    /// and forgets all but the last `limit`, this one among them.
    func begin(_ command: RunCommand, at: Instant, days: DayRange?, keeping limit: Int) async throws -> Int64
    /// Remembers how the run with that number ended, and which days it covered where that is known. Changes nothing for
    /// one that is forgotten or has an end.
    func end(_ id: Int64, _ end: RunEnd, days: DayRange?) async throws
    /// The last `limit` runs, the latest first.
    func lastRuns(limit: Int) async throws -> [RecordedRun]
}

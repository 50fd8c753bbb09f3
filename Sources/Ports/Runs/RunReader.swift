package import HealthSyncDomain

/// What pages and commands show of runs. Changes nothing, and works beside a run. Failures of the store are `SyncFailure`
/// with `.storage`.
package protocol RunReader: Sendable {
    /// The last `limit` runs, and how far one at work has come. One without an end whose process is gone is told as cut
    /// off.
    func runHistory(limit: Int) async throws -> RunHistory
}

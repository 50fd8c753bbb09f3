package import HealthSyncDomain

/// The read access of pages and commands to runs. Changes nothing and may be used during a run. Failures of the store
/// are `SyncFailure` with `.storage`.
package protocol RunReader: Sendable {
    /// Returns the last `limit` runs and the progress of the active one. A run without an end whose process no longer
    /// exists is returned as cut off.
    func runHistory(limit: Int) async throws -> RunHistory
}

package import HealthSyncDomain

/// Detects whether a run is active in the data folder, in this process or another.
///
/// Contract: safe to call from any thread; returns at once and changes nothing.
package protocol RunWatch: Sendable {
    /// Returns the run that holds the data folder; `nil` if none exists.
    func activeRun() -> ActiveRun?
}

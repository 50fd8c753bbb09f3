package import HealthSyncDomain

/// Sees from outside whether a run is at work in the data folder, in this process or another.
///
/// Contract: safe from any thread; returns at once and changes nothing.
package protocol RunWatch: Sendable {
    /// The run that holds the data folder; `nil` when none does.
    func runAtWork() -> RunAtWork?
}

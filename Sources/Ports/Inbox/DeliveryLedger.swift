package import HealthSyncDomain

/// Stores which numbered deliveries were received.
///
/// Contract: `store` replaces everything atomically and durably. One process writes at a time; others may read.
/// Failures are `SyncFailure` with `.storage`.
package protocol DeliveryLedger: Sendable {
    /// Returns the known series; empty if none are stored.
    func sequences() async throws -> [DeliverySequence]
    /// Replaces the stored series.
    func store(_ sequences: [DeliverySequence]) async throws
}

package import HealthSyncDomain

/// The user's pause of delivery. It applies to every run until it is ended.
///
/// Contract: safe to call from any process and thread; `isSet` returns at once and is checked before every request.
package protocol DeliveryPause: Sendable {
    /// Returns whether delivery is paused.
    func isSet() -> Bool
    /// Returns when delivery was paused; `nil` if it is not paused.
    func since() -> Instant?
    /// Pauses delivery. Throws `SyncFailure` with `.cannotCreate`. Idempotent.
    func set() throws
    /// Resumes delivery; returns whether it was paused. Throws `SyncFailure` with `.storage`.
    func clear() throws -> Bool
}

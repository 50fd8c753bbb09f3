public import HealthSyncDomain

/// The time of day. Everything that asks what time it is asks here.
///
/// Contract: `now` never goes backwards within one process; `wait` ends early when its task is cancelled, by throwing
/// `CancellationError`, which is all it throws; safe from any thread.
public protocol TimeSource: Sendable {
    /// The present instant.
    func now() -> Instant
    /// Returns after `milliseconds`.
    func wait(milliseconds: Int64) async throws
    /// The IANA name of the system's zone.
    func systemZoneName() -> String
}

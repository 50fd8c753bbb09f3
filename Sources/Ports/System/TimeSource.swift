public import HealthSyncDomain

/// The time of day and the rules of zones. Everything that asks what time it is, or where a day begins, asks here.
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
    /// The rules of the zone called `name`; the same for every call within one process.
    ///
    /// An unknown zone is an error and never silently UTC.
    func zoneRules(named name: String) throws(UnknownTimeZone) -> ZoneRules
    /// The database that the rules of the zone called `name` come from.
    func zoneDatabase(of name: String) -> ZoneDatabase
}

public import HealthSyncDomain

/// The clock and the time zone rules. All code that needs the current time or the start of a day uses it.
///
/// Contract: `now` never goes backwards within one process; `wait` throws nothing but `CancellationError`, at once if
/// its task is cancelled; safe to call from any thread.
public protocol TimeSource: Sendable {
    /// Returns the current instant.
    func now() -> Instant
    /// Waits for `milliseconds`.
    func wait(milliseconds: Int64) async throws
    /// Returns the IANA name of the system's zone.
    func systemZoneName() -> String
    /// Returns the rules of the zone called `name`; the same for every call within one process.
    ///
    /// - Throws: `UnknownTimeZone`. An unknown zone never silently becomes UTC.
    func zoneRules(named name: String) throws(UnknownTimeZone) -> ZoneRules
    /// Returns the database that contains the rules of the zone called `name`.
    func zoneDatabase(of name: String) -> ZoneDatabase
}

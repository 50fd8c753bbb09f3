package import HealthSyncDomain
package import HealthSyncPorts

/// A clock that measures durations. Its instants count from an arbitrary one and never jump, whatever the time of day is
/// set to.
package struct MonotonicClock: TimeSource {
    private let clock: any TimeSource
    private let start = SuspendingClock.now

    /// Creates a clock with the zones of `clock`.
    package init(zonesOf clock: any TimeSource) { self.clock = clock }

    package func now() -> Instant {
        let (seconds, attoseconds) = start.duration(to: SuspendingClock.now).components
        return Instant(milliseconds: seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    package func wait(milliseconds: Int64) async throws { try await clock.wait(milliseconds: milliseconds) }
    package func systemZoneName() -> String { clock.systemZoneName() }
    package func zoneRules(named name: String) throws(UnknownTimeZone) -> ZoneRules { try clock.zoneRules(named: name) }
    package func zoneDatabase(of name: String) -> ZoneDatabase { clock.zoneDatabase(of: name) }
}

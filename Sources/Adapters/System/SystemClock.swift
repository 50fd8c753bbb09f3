import Foundation
package import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// The system clock.
package struct SystemClock: TimeSource {
    // The system clock may be set back during a run; the latest value is a lower bound for the next.
    private static let latest = Atomic<Int64>(.min)

    private let zoneName: SystemZoneName
    private let zones: SystemZones

    /// Creates a clock that finds the system's zone and its rules through `TZ` and `TZDIR` of `environment`, if they
    /// are set.
    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        zoneName = SystemZoneName(environment: environment)
        zones = SystemZones(folders: ZoneFolders(environment: environment))
    }

    package func now() -> Instant {
        let milliseconds = Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
        return Instant(milliseconds: Self.latest.max(milliseconds, ordering: .relaxed).newValue)
    }

    package func wait(milliseconds: Int64) async throws {
        try await Task.sleep(for: .milliseconds(max(0, milliseconds)))
    }

    package func systemZoneName() -> String { zoneName.name() }

    package func zoneRules(named name: String) throws(UnknownTimeZone) -> ZoneRules { try zones.rules(named: name) }

    package func zoneDatabase(of name: String) -> ZoneDatabase { zones.database(of: name) }
}

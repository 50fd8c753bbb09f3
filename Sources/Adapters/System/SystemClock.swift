import Foundation
package import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// The machine's clock.
package struct SystemClock: TimeSource {
    // The wall clock may be set back while a run is at work; the latest answer is a floor for the next.
    private static let latest = Atomic<Int64>(.min)

    private let environment: [String: String]

    /// A clock that takes the name of the system's zone from `TZ` in `environment`, where it stands.
    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.environment = environment
    }

    package func now() -> Instant {
        let milliseconds = Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
        return Instant(milliseconds: Self.latest.max(milliseconds, ordering: .relaxed).newValue)
    }

    package func wait(milliseconds: Int64) async throws {
        try await Task.sleep(for: .milliseconds(max(0, milliseconds)))
    }

    /// `TZ` as it was given, so that a misspelt one is refused by whoever reads the zone's rules (the C library would
    /// take it for UTC without a word); without `TZ` the zone of the machine.
    package func systemZoneName() -> String {
        guard let stated = environment["TZ"] else { return TimeZone.current.identifier }
        let name = stated.hasPrefix(":") ? String(stated.dropFirst()) : stated
        if name.isEmpty { return "UTC" }
        if name.hasPrefix("/"), let folder = name.range(of: "/zoneinfo/") {
            return String(name[folder.upperBound...])
        }
        return name
    }
}

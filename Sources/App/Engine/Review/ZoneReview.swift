package import HealthSyncDomain
import HealthSyncPorts

/// Reads the zones by which the stored days are counted, and what sources state about them.
package struct ZoneReview: Sendable {
    let ports: EnginePorts

    /// Returns the zones of the stored days (`nil` if none are stored) and the evidence of sources.
    package func run() async throws -> (days: StoredDayZones?, evidence: [ZoneEvidence]) {
        (try await ports.tracking.storedDayZones(), try await ports.tracking.zoneEvidence())
    }
}

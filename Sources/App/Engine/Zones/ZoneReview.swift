package import HealthSyncDomain
import HealthSyncPorts

/// Reads the zones by which the stored days are counted, and what sources state about them.
package struct ZoneReview: Sendable {
    let ports: EnginePorts

    /// Returns the zones of the stored days (`nil` if none are stored) and the evidence of sources.
    package func run() async throws -> (days: StoredDayZones?, evidence: [ZoneEvidence]) {
        (try await ports.tracking.storedDayZones(), try await ports.tracking.zoneEvidence())
    }

    /// Returns the stays that the stored records state. Reads all pages, and decodes those that state zones.
    package func statedStays() async throws -> StatedStays {
        var stated = StatedZones(rules: ports.time.zoneRules)
        for definition in try await ports.pages.storedTypes() {
            guard let extent = try await ports.pages.dayExtent(of: [definition.type]) else { continue }
            for days in DayRange.runs(of: Array(extent), atMost: Self.daysAtOnce) {
                try Task.checkCancellation()
                for page in try await ports.pages.pages(of: [definition.type], utcDays: days)
                where SamplePageCodec.hasZones(page.bytes) {
                    let columns = try SamplePageCodec.decode(page.bytes, at: page.key)
                    stated.count(starts: columns.starts, zones: columns.zones, names: columns.zoneNames)
                }
            }
        }
        return StatedStays(stated)
    }

    private static let daysAtOnce = 366
}

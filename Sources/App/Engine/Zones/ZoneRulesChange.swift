import HealthSyncDomain
import HealthSyncPorts

/// The change of zone rules since the stored days were derived: an update of the time zone database moves the
/// midnights of the zones that it corrects.
struct ZoneRulesChange: Sendable {
    /// The digests to be stored, by zone.
    var new: [String: ContentDigest] = [:]
    /// Whether the rules of a zone on which stored days depend have changed.
    var movesDays = false

    /// Creates a change without differences.
    init() {}

    /// Compares the stored rules with the current ones. A day may depend on any stored zone.
    init(ports: EnginePorts, clock: DayClock) async throws {
        let stored = try await ports.tracking.zoneRules()
        var current = Self.rules(of: clock)
        for name in stored.keys where current[name] == nil { current[name] = try? ports.time.zoneRules(named: name) }
        let digests = current.mapValues { ports.hasher.digest($0.canonicalText) }
        new = digests.filter { stored[$0.key] != $0.value }
        // Versions that did not store rules derived days by the rules of Foundation.
        let isMoved = stored.isEmpty || new.keys.contains { stored[$0] != nil }
        movesDays = try await isMoved ? ports.repository.recordedDays() != nil : false
    }

    private static func rules(of clock: DayClock) -> [String: ZoneRules] {
        let zones = [clock.home] + clock.residences.map(\.rules)
        return Dictionary(zones.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

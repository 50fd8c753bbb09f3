import HealthSyncDomain
import HealthSyncPorts

/// The clocks of the zones that samples were recorded in; each is made once.
struct ZoneClocks: Sendable {
    private let known: ZoneClockTable

    init(_ time: any TimeSource) { known = ZoneClockTable(time) }

    /// Returns the rules by which handlers derive days with `settings`.
    func rules(_ settings: EngineSettings) -> DerivationRules {
        DerivationRules(clock: settings.clock, originPriority: settings.originPriority) { known.clock(forZone: $0) }
    }

    /// Stores the rules of the zones that were used. Called before the days that follow from them are stored.
    func storeRules(in ports: EnginePorts) async throws {
        let rules = known.unstored
        guard !rules.isEmpty else { return }
        try await ports.tracking.setZoneRules(rules.mapValues { ports.hasher.digest($0.canonicalText) })
        known.noteStored(rules.keys)
    }
}

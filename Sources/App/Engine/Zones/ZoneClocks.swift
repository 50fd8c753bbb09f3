import HealthSyncDomain
import HealthSyncPorts
import Synchronization

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

/// A cache of zone rules by name. Unknown names are cached too.
private final class ZoneClockTable: Sendable {
    private struct State {
        var clocks: [String: DayClock?] = [:]
        var unstored: [String: ZoneRules] = [:]
    }

    private let time: any TimeSource
    private let state = Mutex(State())

    init(_ time: any TimeSource) { self.time = time }

    func clock(forZone name: String) -> DayClock? {
        state.withLock { state in
            if let known = state.clocks[name] { return known }
            if let offset = ZoneRules(statedOffset: name) {
                let clock = DayClock(home: offset)
                state.clocks[name] = clock
                return clock
            }
            let rules = try? time.zoneRules(named: name)
            let clock = rules.map { DayClock(home: $0) }
            state.clocks[name] = .some(clock)
            state.unstored[name] = rules
            return clock
        }
    }

    /// The rules that were used and not reported as stored.
    var unstored: [String: ZoneRules] { state.withLock { $0.unstored } }

    func noteStored(_ names: some Sequence<String>) {
        state.withLock { state in
            for name in names { state.unstored[name] = nil }
        }
    }
}

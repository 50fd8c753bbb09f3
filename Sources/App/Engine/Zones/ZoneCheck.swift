import HealthSyncDomain
import HealthSyncPorts

/// Compares the UTC offsets of sources and the zones that records state by name with the zone of the days. The system's zone is often wrong (a server
/// in UTC, a container, cron), and every day would be wrong too.
struct ZoneCheck {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Rejects a first import in the system's zone if the sources contradict it.
    ///
    /// - Throws: `SyncFailure` with `.configuration`.
    func requireMatchingZone(of evidence: [ZoneEvidence], _ stays: StatedStays) async throws {
        guard !settings.isZoneConfigured, try await ports.tracking.storedDayZones() == nil,
            let (reason, action) = ZoneEvidence.rejection(
                of: evidence, stays, countedBy: settings.clock, ports.time.zoneRules)
        else { return }
        throw SyncFailure(.configuration, subject: "zone", reason: reason, action: action)
    }

    /// Stores the offsets that were read, unless later ones of the same provider are known.
    func remember(_ reports: [ImportReport]) async throws {
        let known = try await ports.tracking.zoneEvidence()
        for (provider, reports) in Dictionary(grouping: reports, by: \.provider) {
            let offsets = StatedOffset.ends(of: reports.flatMap(\.reading.statedOffsets)).suffix(Self.offsetLimit)
            guard let last = offsets.last else { continue }
            let latest = known.first { $0.provider == provider }?.offsets.last
            if let latest, latest.instant > last.instant { continue }
            try await ports.tracking.setZoneEvidence(ZoneEvidence(provider: provider, offsets: Array(offsets)))
        }
    }

    /// Returns a notice for the user; `nil` if no source contradicts the zone.
    func notice() async throws -> String? {
        ZoneEvidence.notice(
            of: try await ports.tracking.zoneEvidence(), countedBy: settings.clock, ports.time.zoneRules)
    }

    /// Returns a notice of the stays that records state and the configuration does not contain; `nil` if it contains all.
    func notice(of stated: StatedStays) -> String? {
        guard let stays = stated.proposal(for: settings.clock) else { return nil }
        return
            "the records state \(DayZones(settings.clock).further(stays)) that the configuration does not contain, so their days are counted by "
            + "another zone than yours then; `healthsync doctor` proposes them for the configuration"
    }

    private static let offsetLimit = 100
}

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

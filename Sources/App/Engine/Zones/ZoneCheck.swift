import HealthSyncDomain
import HealthSyncPorts

/// Compares the offsets that sources state with the zone that days are counted by: the system's zone is often wrong (a
/// server in UTC, a container, cron), and then every day is.
struct ZoneCheck {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Rejects a first import whose zone nobody named and which the sources contradict.
    ///
    /// Throws `SyncFailure` with `.configuration`.
    func requireFit(of evidence: [ZoneEvidence]) async throws {
        guard !settings.isZoneStated, try await ports.tracking.countedDays() == nil,
            let (reason, advice) = ZoneEvidence.rejection(
                of: evidence, countedBy: settings.clock, ports.time.zoneRules)
        else { return }
        throw SyncFailure(.configuration, subject: "zone", reason: reason, advice: advice)
    }

    /// Remembers what was read, unless something later is known of the same provider.
    func remember(_ reports: [IngestReport]) async throws {
        let known = try await ports.tracking.zoneEvidence()
        for (provider, reports) in Dictionary(grouping: reports, by: \.provider) {
            let offsets = StatedOffset.ends(of: reports.flatMap(\.reading.statedOffsets)).suffix(Self.most)
            guard let last = offsets.last else { continue }
            let latest = known.first { $0.provider == provider }?.offsets.last
            if let latest, latest.instant > last.instant { continue }
            try await ports.tracking.setZoneEvidence(ZoneEvidence(provider: provider, offsets: Array(offsets)))
        }
    }

    /// What the user should know of it; `nil` where nothing contradicts.
    func notice() async throws -> String? {
        ZoneEvidence.notice(
            of: try await ports.tracking.zoneEvidence(), countedBy: settings.clock, ports.time.zoneRules)
    }

    private static let most = 100
}

import HealthSyncDomain
import HealthSyncPorts

/// The time zone of local days when days derived in a zone are already stored.
///
/// The system zone may change (on a journey, or in a cron job without `TZ`), but stored days must not. If the user
/// names no zone, the zone of the stored days applies. A named zone applies once all days are derived in it.
struct ZoneChoice {
    let clock: DayClock
    /// A message for the user about a zone that differs; `nil` if there is nothing to report.
    let notice: String?
    /// Whether the notice concerns a zone that the user named. Other notices describe a state, and views do not repeat them.
    let isAboutNamedZone: Bool

    /// - Parameters:
    ///   - settings: the settings with the requested zone.
    ///   - counted: the zones of the stored days.
    ///   - derives: whether the run derives days in the requested zone.
    ///   - time: provides zone rules.
    init(_ settings: Settings, counted: StoredDayZones, derives: Bool, time: any TimeSource) {
        let asked = DayZones(settings.clock)
        let wanted = settings.isZoneConfigured ? asked : DayZones(home: counted.zones.home, stays: asked.stays)
        guard let stored = counted.zones.clock(time.zoneRules) else {
            (clock, notice, isAboutNamedZone) = (settings.clock, nil, false)
            return
        }
        let isAsStored = wanted == counted.zones || settings.isZoneConfigured && settings.clock.countsDays(as: stored)
        isAboutNamedZone = !isAsStored && settings.isZoneConfigured
        if !isAsStored {
            clock = derives ? wanted.clock(time.zoneRules) ?? settings.clock : stored
            notice = derives ? nil : Self.otherZone(counted.zones, asked: wanted)
        } else {
            clock = settings.isZoneConfigured ? settings.clock : stored
            if !counted.isWhole {
                notice = derives ? nil : Self.unfinished
            } else {
                notice = settings.clock.countsDays(as: stored) ? nil : Self.otherSystem(counted.zones, asked)
            }
        }
    }

    private static let unfinished =
        "some days may still be in another time zone, because a run was interrupted, failed or derived only some metrics; "
        + "run `healthsync historical` without --metrics"

    private static func otherZone(_ stored: DayZones, asked: DayZones) -> String {
        "days are shown in \(stored.name(beside: asked)), in which they were derived, not in \(asked.name(beside: stored)); "
            + "run `healthsync historical --zone \(asked.home) --save` to recompute them"
    }

    private static func otherSystem(_ stored: DayZones, _ system: DayZones) -> String {
        "days remain in \(stored.home), not in this computer's time zone \(system.home); "
            + "run `healthsync historical --zone \(stored.home) --save` to keep them, or name the zone you live in"
    }
}

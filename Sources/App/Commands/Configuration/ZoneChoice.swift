import HealthSyncDomain
import HealthSyncPorts

/// By which clock days are counted at home, where stored days were counted by one before.
///
/// A machine's zone changes by itself (a journey, a job of cron that knows no `TZ`), and days do not: without a zone that
/// was named, those that are stored decide. One that was named counts days only once all were derived by it.
struct ZoneChoice {
    let clock: DayClock
    /// What a person is to know of it.
    let notice: String?
    /// Whether the notice answers the zone that was named; otherwise it is about how things are, and no view repeats it.
    let isAboutNamedZone: Bool

    /// - Parameters:
    ///   - settings: what was asked for.
    ///   - counted: how the stored days were counted.
    ///   - derives: whether days are to be derived, by the zone that was named.
    ///   - time: knows the rules of zones.
    init(_ settings: Settings, counted: CountedDays, derives: Bool, time: any TimeSource) {
        let asked = DayZones(settings.clock)
        let wanted = settings.isZoneStated ? asked : DayZones(home: counted.zones.home, stays: asked.stays)
        guard let stored = counted.zones.clock(time.zoneRules) else {
            (clock, notice, isAboutNamedZone) = (settings.clock, nil, false)
            return
        }
        let isAsStored = wanted == counted.zones || settings.isZoneStated && settings.clock.countsDays(as: stored)
        isAboutNamedZone = !isAsStored && settings.isZoneStated
        if !isAsStored {
            clock = derives ? wanted.clock(time.zoneRules) ?? settings.clock : stored
            notice = derives ? nil : Self.otherZone(counted.zones, asked: wanted)
        } else {
            clock = settings.isZoneStated ? settings.clock : stored
            if !counted.isWhole {
                notice = derives ? nil : Self.unfinished
            } else {
                notice = settings.clock.countsDays(as: stored) ? nil : Self.otherSystem(counted.zones, asked)
            }
        }
    }

    private static let unfinished =
        "some days may still be counted by another zone, because a run was cut off, failed or derived some metrics only; "
        + "the next `healthsync daily` or `historical` over all metrics goes on"

    private static func otherZone(_ stored: DayZones, asked: DayZones) -> String {
        "days are shown by \(stored.name), by which they were derived, not by \(asked.name); "
            + "`healthsync historical --zone \(asked.home)` counts them anew"
    }

    private static func otherSystem(_ stored: DayZones, _ system: DayZones) -> String {
        "days are counted by \(stored.home) as before, and not by this computer's zone \(system.home); "
            + "name the zone you live in as \"zone\" in the configuration, "
            + "or count all days anew with `healthsync historical --zone \(system.home)`"
    }
}

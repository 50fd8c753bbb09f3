/// The zones by which days were counted, by their names: what is remembered of a `DayClock`.
package struct DayZones: Sendable, Hashable {
    /// A stay elsewhere, from `firstDay` until the next one.
    package struct Stay: Sendable, Hashable {
        package var firstDay: CalendarDay
        /// IANA name.
        package var zone: String

        package init(firstDay: CalendarDay, zone: String) {
            self.firstDay = firstDay
            self.zone = zone
        }
    }

    /// IANA name of the zone that holds before the first stay.
    package var home: String
    /// By first day.
    package var stays: [Stay]

    package init(home: String, stays: [Stay]) {
        self.home = home
        self.stays = stays
    }

    /// Those of `clock`.
    package init(_ clock: DayClock) {
        home = clock.home.identifier
        stays = clock.residences.map { Stay(firstDay: $0.firstDay, zone: $0.rules.identifier) }
    }

    /// As a person is told: `Europe/Paris`, or `Europe/Paris and 2 stays elsewhere`.
    package var name: String {
        stays.isEmpty ? home : "\(home) and \(stays.count) stay\(stays.count == 1 ? "" : "s") elsewhere"
    }

    /// The clock of these zones, by the rules that `rules` finds; `nil` where it does not know one of them.
    package func clock(_ rules: (String) throws(UnknownTimeZone) -> ZoneRules) -> DayClock? {
        guard let home = try? rules(home) else { return nil }
        var residences: [DayClock.Residence] = []
        for stay in stays {
            guard let abroad = try? rules(stay.zone) else { return nil }
            residences.append(DayClock.Residence(firstDay: stay.firstDay, rules: abroad))
        }
        return DayClock(home: home, residences: residences)
    }
}

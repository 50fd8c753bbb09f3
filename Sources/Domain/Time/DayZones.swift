/// The names of the zones of a `DayClock`, in the form in which they are stored.
package struct DayZones: Sendable, Hashable {
    /// A stay in another zone, from `firstDay` until the next stay.
    package struct Stay: Sendable, Hashable {
        package var firstDay: CalendarDay
        /// The IANA name of the zone.
        package var zone: String

        package init(firstDay: CalendarDay, zone: String) {
            self.firstDay = firstDay
            self.zone = zone
        }
    }

    /// The IANA name of the zone before the first stay.
    package var home: String
    /// Ordered by first day.
    package var stays: [Stay]

    package init(home: String, stays: [Stay]) {
        self.home = home
        self.stays = stays
    }

    /// Creates the names of the zones of `clock`.
    package init(_ clock: DayClock) {
        home = clock.home.identifier
        stays = clock.residences.map { Stay(firstDay: $0.firstDay, zone: $0.rules.identifier) }
    }

    /// The zones for display: `Europe/Paris`, or `Europe/Paris with 2 zone changes`.
    package var name: String {
        stays.isEmpty ? home : "\(home) with \(CountText.of(stays.count, "zone change"))"
    }

    /// The zones for display beside `others`, from which they differ: `Europe/Paris with 1 zone change (Asia/Tokyo from
    /// 2024-01-10)` if the others have the same name.
    package func name(beside others: DayZones) -> String {
        guard name == others.name, let stay = stays.first(where: { !others.stays.contains($0) }) else { return name }
        return "\(name) (\(stay.zone) from \(stay.firstDay))"
    }

    /// Returns how many of `stays` these zones do not contain, as text: `1 stay in another time zone`. A return is no stay,
    /// although the configuration states its day; if only returns are missing, it is `1 return home`. `number` formats the number.
    package func further(_ stays: [Stay], number: (Int) -> String = { "\($0)" }) -> String {
        let missing = stays.filter { !self.stays.contains($0) }
        let elsewhere = missing.count { $0.zone != home }
        return elsewhere > 0
            ? "\(CountText.of(elsewhere, "stay", number: number)) in \(elsewhere == 1 ? "another time zone" : "other time zones")"
            : "\(CountText.of(missing.count, "return", number: number)) home"
    }

    /// Returns the clock of these zones with the rules returned by `rules`; `nil` if one of them is unknown.
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

/// The stored zones of the derived days.
package struct StoredDayZones: Sendable, Hashable {
    package var zones: DayZones
    /// Whether all stored days were derived with `zones`. False while a run recomputes them.
    package var isWhole: Bool

    package init(zones: DayZones, isWhole: Bool) {
        self.zones = zones
        self.isWhole = isWhole
    }
}

/// The stays in time zones that records state by name.
///
/// The zone of a day is the one that most of its records state; of equally many, the zone of the last day before it that
/// has records, otherwise the one that the day's last record states. **A stay begins on the first day of another zone than
/// the day before** and lasts until the next. Days without records that state a zone neither begin nor end a stay. One day
/// of another zone with fewer than four records is not a stay: a shared device or one that was switched off wrote them.
///
/// Zones that show the same time from the first record on, such as a zone and its former name, are one zone.
package struct StatedStays: Sendable, Hashable {
    /// Consecutive days of one zone.
    package struct Stay: Sendable, Hashable {
        /// The rules of the zone, under the name that most of its records state in these days.
        package let zone: ZoneRules
        /// The days whose records state the zone, ascending.
        package let days: [CalendarDay]
    }

    /// The zone of most days.
    package struct MainZone: Sendable, Hashable {
        /// The rules of the zone, under the name that most records state.
        package let zone: ZoneRules
        /// The number of records that state it.
        package let records: Int

        /// `1 record states America/New_York`
        package var text: String {
            "\(CountText.of(records, "record")) \(records == 1 ? "states" : "state") \(zone.identifier)"
        }
    }

    /// The number of records that one day in another zone needs to be a stay.
    static let fewestRecordsOfOneDay = 4

    /// Ordered by day; neighbors are in different zones.
    package let stays: [Stay]
    /// The zone of most days, and of equally many that of the later stay; `nil` without stays.
    package let main: MainZone?
    /// The start of the first day with records.
    private let since: Instant

    /// Derives the stays from `stated`.
    package init(_ stated: StatedZones) {
        let kinds = ZoneKinds(stated)
        since = kinds.since
        stays = kinds.runs().map { run in
            Stay(
                zone: kinds.rules(of: run.kind) { name in run.days.reduce(0) { $0 + kinds.records(name, on: $1) } },
                days: run.days)
        }
        main = kinds.mainZone(of: kinds.runs())
    }

    /// Returns the zone of most days if no stay is in one of the zones of `clock`; otherwise `nil`.
    package func contradiction(to clock: DayClock) -> MainZone? {
        let known = [clock.home] + clock.residences.map(\.rules)
        return stays.contains { stay in known.contains { $0.showsTime(of: stay.zone, since: since) } } ? nil : main
    }

    /// Returns the stays to configure so that every day with records is in the zone that they state; `nil` if it is already
    /// by `clock`. Stays of `clock` on other days remain.
    package func proposal(for clock: DayClock) -> [DayZones.Stay]? {
        let agrees = stays.allSatisfy { stay in
            stay.days.allSatisfy { clock.rules(on: $0).showsTime(of: stay.zone, since: since) }
        }
        if agrees { return nil }
        var kept = clock.residences.filter { residence in
            !stays.contains { $0.days[0] <= residence.firstDay && residence.firstDay <= $0.days[$0.days.count - 1] }
        }[...]
        var proposed: [DayZones.Stay] = []
        var present = clock.home
        for stay in stays {
            while let next = kept.first, next.firstDay < stay.days[0] {
                proposed.append(DayZones.Stay(firstDay: next.firstDay, zone: next.rules.identifier))
                present = next.rules
                kept.removeFirst()
            }
            guard !present.showsTime(of: stay.zone, since: since) else { continue }
            let isHome = clock.home.showsTime(of: stay.zone, since: since)
            present = isHome ? clock.home : stay.zone
            proposed.append(DayZones.Stay(firstDay: stay.days[0], zone: present.identifier))
        }
        return proposed + kept.map { DayZones.Stay(firstDay: $0.firstDay, zone: $0.rules.identifier) }
    }
}

/// The stated zones, those that show the same time under one number.
private struct ZoneKinds {
    /// Consecutive days of one zone.
    struct Run {
        let kind: Int
        var days: [CalendarDay]
        var records: Int
    }

    let since: Instant
    private let stated: StatedZones
    /// For each zone its names, ordered.
    private var names: [[String]] = []

    init(_ stated: StatedZones) {
        self.stated = stated
        since = stated.zones.values.flatMap(\.days.keys).min()?.utcStart ?? Instant(seconds: 0)
        for (name, zone) in stated.zones.sorted(by: { $0.key < $1.key }) {
            let kind = names.firstIndex { stated.zones[$0[0]]?.rules.showsTime(of: zone.rules, since: since) ?? false }
            if let kind { names[kind].append(name) } else { names.append([name]) }
        }
    }

    func records(_ name: String, on day: CalendarDay) -> Int { stated.zones[name]?.days[day]?.records ?? 0 }

    /// Returns the rules of a zone under the name with the largest number, the first of equal ones.
    func rules(of kind: Int, _ number: (String) -> Int) -> ZoneRules {
        var best: (name: String, number: Int) = (names[kind][0], -1)
        for name in names[kind] {
            let number = number(name)
            if number > best.number { best = (name, number) }
        }
        return stated.zones[best.name]?.rules ?? .utc
    }

    /// Returns the stays.
    func runs() -> [Run] {
        let fewest = StatedStays.fewestRecordsOfOneDay
        return joined(joined(dayZones()).filter { $0.days.count > 1 || $0.records >= fewest })
    }

    func mainZone(of runs: [Run]) -> StatedStays.MainZone? {
        var days: [Int: Int] = [:]
        for run in runs { days[run.kind, default: 0] += run.days.count }
        guard let most = days.values.max(), let kind = runs.last(where: { days[$0.kind] == most })?.kind else {
            return nil
        }
        func records(_ name: String) -> Int { stated.zones[name]?.days.values.reduce(0) { $0 + $1.records } ?? 0 }
        return StatedStays.MainZone(
            zone: rules(of: kind, records), records: names[kind].reduce(0) { $0 + records($1) })
    }

    /// Returns a run for each day with records.
    private func dayZones() -> [Run] {
        var days: [CalendarDay: [Int: StatedZones.Tally]] = [:]
        for (kind, names) in names.enumerated() {
            for name in names {
                for (day, tally) in stated.zones[name]?.days ?? [:] {
                    days[day, default: [:]][kind, default: StatedZones.Tally()].add(tally)
                }
            }
        }
        var result: [Run] = []
        for (day, tallies) in days.sorted(by: { $0.key < $1.key }) {
            let before = result.last?.kind
            let most = tallies.max { left, right in
                Self.rank(left, before) < Self.rank(right, before)
            }
            if let most { result.append(Run(kind: most.key, days: [day], records: most.value.records)) }
        }
        return result
    }

    private static func rank(
        _ zone: (key: Int, value: StatedZones.Tally), _ before: Int?
    ) -> (Int, Int, Int64, Int) {
        (zone.value.records, zone.key == before ? 1 : 0, zone.value.last, -zone.key)
    }

    /// Returns the runs with neighbors of one zone joined.
    private func joined(_ runs: [Run]) -> [Run] {
        var result: [Run] = []
        for run in runs {
            if let last = result.last, last.kind == run.kind {
                result[result.count - 1].days += run.days
                result[result.count - 1].records += run.records
            } else {
                result.append(run)
            }
        }
        return result
    }
}

/// How many records state each time zone by name (`HKTimeZone`), by calendar day.
///
/// A record belongs to the day of its start in the zone that it states. Names that are not `Area/City` (`GMT`, `+02:00`)
/// are no evidence: devices write them that do not know where they are.
package struct StatedZones: Sendable {
    /// Returns the rules of a zone.
    package typealias RulesByName = @Sendable (String) throws(UnknownTimeZone) -> ZoneRules

    /// The records of one zone on one day.
    struct Tally: Sendable {
        var records = 0
        /// The start of the last record, in milliseconds since 1970.
        var last = Int64.min

        mutating func add(_ other: Tally) {
            records += other.records
            last = max(last, other.last)
        }
    }

    /// The records that state one zone.
    struct Zone: Sendable {
        let rules: ZoneRules
        var days: [CalendarDay: Tally] = [:]
    }

    /// The number of names that are looked up; others are no evidence. The time zone database has about 600.
    static let mostNames = 1_000

    private let rules: RulesByName
    private var unknown: Set<String> = []
    /// By name.
    private(set) var zones: [String: Zone] = [:]

    /// Creates counts of zero. `rules` returns the rules of a zone.
    package init(rules: @escaping RulesByName) { self.rules = rules }

    /// Counts the records with these starts, in milliseconds since 1970. `numbers` are for each record one more than the index
    /// of its zone in `names`, or 0 for none; they may be empty if there are no names.
    package mutating func count(starts: [Int64], zones numbers: [UInt16], names: [String]) {
        guard !names.isEmpty else { return }
        var row = 0
        while row < starts.count {
            let number = numbers[row]
            guard number > 0 else {
                row += 1
                continue
            }
            // Offsets are multiples of a quarter of an hour, so all its records are on one day.
            let quarter = starts[row].flooredQuotient(by: Self.quarterHour)
            var tally = Tally()
            while row < starts.count, numbers[row] == number,
                starts[row].flooredQuotient(by: Self.quarterHour) == quarter
            {
                tally.add(Tally(records: 1, last: starts[row]))
                row += 1
            }
            count(tally, name: names[Int(number) - 1], at: Instant(milliseconds: quarter * Self.quarterHour))
        }
    }

    /// Adds the counts of `other`.
    package mutating func add(_ other: StatedZones) {
        for (name, zone) in other.zones where isKnown(name) {
            zones[name]?.days.merge(zone.days) { own, their in
                var sum = own
                sum.add(their)
                return sum
            }
        }
    }

    private static let quarterHour: Int64 = 900_000

    private mutating func count(_ tally: Tally, name: String, at instant: Instant) {
        guard isKnown(name), let offset = zones[name]?.rules.offsetSeconds(at: instant) else { return }
        zones[name]?.days[CalendarDay(utcDayOf: instant.advanced(bySeconds: offset)), default: Tally()].add(tally)
    }

    private mutating func isKnown(_ name: String) -> Bool {
        if zones[name] != nil { return true }
        guard !unknown.contains(name), zones.count + unknown.count < Self.mostNames else { return false }
        guard name.utf8.contains(UInt8(ascii: "/")), let found = try? rules(name) else {
            unknown.insert(name)
            return false
        }
        zones[name] = Zone(rules: found)
        return true
    }
}

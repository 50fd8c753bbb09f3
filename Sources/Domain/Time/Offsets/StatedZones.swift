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

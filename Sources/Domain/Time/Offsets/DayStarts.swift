/// The first instants of a user's days, from which the time zones of the days follow.
package struct DayStarts: Sendable {
    private let days: [(day: CalendarDay, start: Instant)]

    /// More moves than any user makes; further days are shown in the last zone.
    private static let mostStays = 200

    package init(_ starts: [CalendarDay: Instant]) {
        days = starts.map { ($0.key, $0.value) }.sorted { $0.day < $1.day }
    }

    /// Returns a clock by which the days begin as stated: `usual` if they do, else zones that have the same offsets, each for
    /// as many days as possible. Of zones that fit equally, the one of `usual` and the more common ones come first.
    package func clock(usual: DayClock, _ rules: ZoneEvidence.RulesByName) -> DayClock {
        if days.allSatisfy({ usual.start(of: $0.day) == $0.start }) { return usual }
        let zones = [usual.home] + CommonZones.names.compactMap { try? rules($0) }
        var stays: [DayClock.Residence] = []
        var next = 0
        while next < days.count, stays.count < Self.mostStays {
            let (zone, count) = longest(from: next, among: stays.map(\.rules).suffix(2) + zones)
            // A day that begins as in no known zone, such as the first one after a flight across the date line.
            guard count > 0 else {
                next += 1
                continue
            }
            if stays.last?.rules != zone { stays.append(DayClock.Residence(firstDay: days[next].day, rules: zone)) }
            next += count
        }
        return stays.first.map { DayClock(home: $0.rules, residences: Array(stays.dropFirst())) } ?? usual
    }

    /// Returns the zone in which most days from number `first` on begin as stated, and their number.
    private func longest(from first: Int, among zones: [ZoneRules]) -> (zone: ZoneRules, count: Int) {
        var best = (zone: zones[0], count: 0)
        for zone in zones {
            let count = days[first...].prefix { zone.start(of: $0.day) == $0.start }.count
            if count > best.count { best = (zone, count) }
            if count == days.count - first { break }
        }
        return best
    }
}

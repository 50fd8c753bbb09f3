import HealthSyncDomain
import HealthSyncPorts

/// Two trips a year to other time zones.
struct TravelPlan {
    let seed: UInt64
    let home: ZoneRules
    let time: any TimeSource

    private static let destinations = [
        "America/Los_Angeles", "America/New_York", "America/Sao_Paulo", "Europe/London", "Europe/Athens",
        "Asia/Dubai", "Asia/Kolkata", "Asia/Singapore", "Asia/Tokyo", "Australia/Sydney",
    ]

    /// Returns the trips and returns in order.
    func residences(in days: DayRange) throws(UnknownTimeZone) -> [DayClock.Residence] {
        var residences: [DayClock.Residence] = []
        for year in days.first.components.year...days.last.components.year {
            var stream = SeededStream(seed: seed, day: year, purpose: .travel)
            for window in [(first: 45, last: 150), (first: 190, last: 320)] {
                let offset = Int(stream.whole(Int64(window.first), Int64(window.last)))
                let length = Int(stream.whole(6, 15))
                let choice = stream.next()
                guard let newYear = CalendarDay(year: year, month: 1, day: 1) else { continue }
                let away = newYear.advanced(by: offset)
                let back = away.advanced(by: length)
                // Not at the ends of the export, where the nights before and after would have no day of their own.
                guard days.first.advanced(by: 3) <= away, back <= days.last.advanced(by: -3) else { continue }
                let reachable = try zonesWithinReach(on: away)
                guard !reachable.isEmpty else { continue }
                let zone = reachable[Int(choice % UInt64(reachable.count))]
                residences.append(.init(firstDay: away, rules: zone))
                residences.append(.init(firstDay: back, rules: home))
            }
        }
        return residences
    }

    /// Returns the zones that differ by one to eight hours: a larger difference would leave no waking hours on the day
    /// of the flight.
    private func zonesWithinReach(on day: CalendarDay) throws(UnknownTimeZone) -> [ZoneRules] {
        var zones: [ZoneRules] = []
        for name in Self.destinations {
            let rules = try time.zoneRules(named: name)
            let difference = rules.offsetSeconds(at: day.utcStart) - home.offsetSeconds(at: day.utcStart)
            if (3600...8 * 3600).contains(difference.magnitude) { zones.append(rules) }
        }
        return zones
    }
}

import HealthSyncDomain
import HealthSyncPorts

/// The parameters that determine an export.
struct Scenario: Sendable {
    let seed: UInt64
    let density: Double
    let timeline: Timeline
    /// The time of the export, on the morning after the last day, in seconds since 1970.
    let exportMoment: Int64
    /// The UTC offset of the phone's clock at that time, in seconds.
    let exportOffset: Int64

    init(_ request: ExportGenerationRequest, time: any TimeSource) throws(SyncFailure) {
        let days = try Self.days(of: request)
        guard (0.05...20).contains(request.density) else {
            throw SyncFailure(
                .usage, subject: "density", reason: "\(request.density) is not between 0.05 and 20",
                advice: "use 1 for the density of real devices")
        }
        seed = request.seed
        density = request.density
        timeline = Timeline(days: days, clock: try Self.clock(of: request, days: days, time: time))
        let exportDay = days.last.advanced(by: 1)
        exportMoment = timeline.moment(on: exportDay, secondsFromMidnight: 33_137)
        exportOffset = timeline.clock.offsetSeconds(at: Instant(seconds: exportMoment))
    }

    var planner: DayPlanner { DayPlanner(seed: seed, timeline: timeline) }

    /// The last exercise that the watch recorded; its route is in the archive.
    var routeWalk: Walk? {
        let planner = planner
        for ordinal in (timeline.days.first.ordinal...timeline.days.last.ordinal).reversed() {
            let walks = planner.plan(of: CalendarDay(ordinal: ordinal)).walks
            if let walk = walks.last(where: { $0.kind == .exercise && $0.hasWatch }) { return walk }
        }
        return nil
    }

    /// The path of the route in the archive's folder.
    var routePath: String { "workout-routes/route_\(timeline.days.last)_6.12pm.gpx" }

    private static func days(of request: ExportGenerationRequest) throws(SyncFailure) -> DayRange {
        let (year, month, dayOfMonth) = request.lastDay.components
        guard (1...50).contains(request.years) else {
            throw SyncFailure(
                .usage, subject: "years", reason: "\(request.years) is not between 1 and 50", advice: "use 10")
        }
        let before =
            CalendarDay(year: year - request.years, month: month, day: dayOfMonth)
            ?? CalendarDay(year: year - request.years, month: month, day: 28)
        guard (1960...2090).contains(year), let before,
            let days = DayRange(before.advanced(by: 1), through: request.lastDay)
        else {
            throw SyncFailure(
                .usage, subject: "last day", reason: "\(request.lastDay) is not between 1960 and 2090",
                advice: "use a day such as 2025-12-31")
        }
        return days
    }

    private static func clock(
        of request: ExportGenerationRequest, days: DayRange, time: any TimeSource
    ) throws(SyncFailure) -> DayClock {
        do {
            let home = try time.zoneRules(named: request.zoneName)
            let travel = TravelPlan(seed: request.seed, home: home, time: time)
            return DayClock(home: home, residences: request.includesTravel ? try travel.residences(in: days) : [])
        } catch {
            throw SyncFailure(
                .usage, subject: "zone", reason: "unknown time zone \"\(error.identifier)\"",
                advice: error.advice)
        }
    }
}

/// The days of an export and the user's time zones on them.
struct Timeline: Sendable {
    let days: DayRange
    let clock: DayClock
    /// The first second of each day, from one day before `days` to two days after.
    private let starts: [Int64]

    init(days: DayRange, clock: DayClock) {
        self.days = days
        self.clock = clock
        starts = days.widened(before: 1, after: 2).map { clock.start(of: $0).seconds }
    }

    /// Returns the index of `day` in `days`, 0 for the first.
    func index(of day: CalendarDay) -> Int { day.ordinal - days.first.ordinal }

    /// Returns the interval from the start of `day` to the start of the next day; `day` may be one day outside `days`.
    func span(of day: CalendarDay) -> Span {
        let place = index(of: day) + 1
        return Span(start: starts[place], end: starts[place + 1])
    }

    /// Returns the instant at which local time is midnight of `day` plus `seconds`, which may be negative.
    func moment(on day: CalendarDay, secondsFromMidnight seconds: Int64) -> Int64 {
        let rules = clock.rules(on: day)
        let wall = Int64(day.ordinal) * 86_400 + seconds
        let guess = wall - rules.offsetSeconds(at: Instant(seconds: wall))
        return wall - rules.offsetSeconds(at: Instant(seconds: guess))
    }

    func zoneName(on day: CalendarDay) -> String { clock.rules(on: day).identifier }

    /// Returns whether the user woke up in another zone than on the day before.
    func changesZone(on day: CalendarDay) -> Bool {
        zoneName(on: day) != zoneName(on: day.advanced(by: -1))
    }
}

/// Two trips a year to other time zones.
private struct TravelPlan {
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

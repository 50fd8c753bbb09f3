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

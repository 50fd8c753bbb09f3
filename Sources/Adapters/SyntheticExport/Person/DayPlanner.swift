import HealthSyncDomain

/// Plans days. A plan depends only on the seed, the timeline and the date, so it can be recomputed for each record type
/// instead of being stored.
struct DayPlanner: Sendable {
    let seed: UInt64
    let timeline: Timeline
    let devices = DeviceHistory()

    func plan(of day: CalendarDay) -> DayPlan {
        let nights = NightPlanner(seed: seed, timeline: timeline)
        let night = nights.night(of: day)
        let nightAfter = nights.night(of: day.advanced(by: 1))
        let nap = NapPlanner(seed: seed, timeline: timeline, devices: devices).nap(on: day, nightAfter: nightAfter)
        let wear = WearPlanner(seed: seed).wear(from: night, to: nightAfter, hasNap: nap != nil)
        let span = timeline.span(of: day)
        let late = lateWalk(on: day, before: nightAfter)
        let free = Span(
            start: night.inBed.end + 480,
            end: min(nightAfter.inBed.start - 900, span.end - 600 - (late == nil ? 0 : 600)))
        return DayPlan(
            day: day, zoneName: timeline.zoneName(on: day), span: span, night: night, nightAfter: nightAfter, nap: nap,
            wear: wear,
            walks: WalkPlanner(seed: seed).walks(on: day, within: free, late: late, nap: nap?.span, wear: wear),
            watch: devices.watch(on: day), phone: devices.phone(on: day), restingRate: restingRate(on: day),
            isLast: day == timeline.days.last)
    }

    /// Returns a walk home that crosses midnight, on some late evenings.
    private func lateWalk(on day: CalendarDay, before nightAfter: Night) -> Span? {
        let midnight = timeline.span(of: day).end
        var stream = SeededStream(seed: seed, day: day.ordinal, purpose: .hours)
        let span = Span(start: midnight - stream.whole(180, 480), end: midnight + stream.whole(180, 480))
        let isOut = stream.chance(0.3)
        guard isOut, day < timeline.days.last, !timeline.changesZone(on: day.advanced(by: 1)),
            nightAfter.inBed.start > span.end + 300
        else { return nil }
        return span
    }

    private func restingRate(on day: CalendarDay) -> Int64 {
        var stream = SeededStream(seed: seed, day: day.ordinal, purpose: .restingRate)
        let monthly = (day.ordinal / 45) % 7
        return 55 + Int64(monthly) + Int64((stream.bell() * 1.4).rounded())
    }
}

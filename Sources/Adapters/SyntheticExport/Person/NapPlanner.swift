import HealthSyncDomain

/// Plans naps. A nap is only recorded if the following night is too.
struct NapPlanner: Sendable {
    let seed: UInt64
    let timeline: Timeline
    let devices: DeviceHistory

    func nap(on day: CalendarDay, nightAfter: Night) -> SleepStretch? {
        let next = day.advanced(by: 1)
        guard nightAfter.isWatchWorn, day < timeline.days.last, !timeline.changesZone(on: day),
            !timeline.changesZone(on: next), devices.watch(on: day).hardware == devices.watch(on: next).hardware
        else { return nil }
        var stream = SeededStream(seed: seed, day: day.ordinal, purpose: .nap)
        guard stream.chance(day.isoWeekday >= 6 ? 0.16 : 0.06) else { return nil }
        let start = timeline.moment(on: day, secondsFromMidnight: stream.whole(1590, 1860) * 30)
        let span = Span(start: start, end: start + stream.whole(50, 200) * 30)
        return StagePlanner(year: day.components.year).stretch(span, &stream)
    }
}

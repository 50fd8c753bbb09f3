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

/// Plans the sleep before each day. A night depends only on the seed and its day.
private struct NightPlanner: Sendable {
    let seed: UInt64
    let timeline: Timeline

    func night(of day: CalendarDay) -> Night {
        var stream = SeededStream(seed: seed, day: day.ordinal, purpose: .night)
        let asleep = sleepTime(before: day, &stream)
        let isWorn = stream.chance(0.96)
        let hasLongBreak = stream.chance(0.012)
        let lyingAwake = stream.whole(20, 80) * 15
        let snoozing = stream.whole(8, 60) * 15
        let phoneMisses = stream.chance(isWorn ? 0.08 : 0.12)
        let stretches = isWorn ? self.stretches(asleep, on: day, hasLongBreak: hasLongBreak) : []
        let end = max(asleep.end, stretches.last?.span.end ?? asleep.end)
        let inBed = Span(start: asleep.start - lyingAwake, end: end + snoozing)
        return Night(
            day: day, inBed: inBed, isWatchWorn: isWorn, watchStretches: stretches,
            phoneInBed: phoneMisses ? nil : inBed)
    }

    private func sleepTime(before day: CalendarDay, _ stream: inout SeededStream) -> Span {
        let isFreeDay = day.isoWeekday >= 6
        let bell = stream.bell()
        let late: Int64 = isFreeDay ? 2400 : 0
        var fromMidnight = min(max(Int64(bell * 2400) - 3000 + late, -7500), 5400)
        // After a trip east the evening comes early: not to bed before midnight there.
        if timeline.changesZone(on: day) { fromMidnight = stream.whole(600, 3000) }
        let start = timeline.moment(on: day, secondsFromMidnight: fromMidnight.flooredQuotient(by: 30) * 30)
        let halfMinutes = Int64(min(max(864 + stream.bell() * 96, 540), 1110))
        return Span(start: start, end: start + halfMinutes * 30)
    }

    private func stretches(_ asleep: Span, on day: CalendarDay, hasLongBreak: Bool) -> [SleepStretch] {
        var stream = SeededStream(seed: seed, day: day.ordinal, purpose: .stages)
        let planner = StagePlanner(year: day.components.year)
        guard hasLongBreak else {
            let whole = planner.stretch(asleep, &stream)
            return [stream.chance(0.04) ? leadIn(to: whole, &stream) : whole]
        }
        // Awake for more than an hour: two sessions, the second one shorter than three hours.
        let first = Span(start: asleep.start, end: asleep.start + asleep.seconds / 30 * 7 / 10 * 30)
        let secondStart = first.end + stream.whole(124, 190) * 30
        let second = Span(start: secondStart, end: secondStart + stream.whole(90, 280) * 30)
        return [planner.stretch(first, &stream), planner.stretch(second, &stream)]
    }

    /// Adds unspecified sleep that begins before the first stage and overlaps it.
    private func leadIn(to stretch: SleepStretch, _ stream: inout SeededStream) -> SleepStretch {
        guard let first = stretch.stages.first, first.stage == .core else { return stretch }
        let lead = Span(start: first.span.start - stream.whole(4, 16) * 30, end: first.span.end)
        return SleepStretch(stages: [StageSpan(stage: .asleep, span: lead)] + stretch.stages)
    }
}

/// Divides sleep into stages, in steps of half a minute like a watch.
struct StagePlanner {
    /// Before this year the watch did not distinguish stages.
    static let firstYearWithStages = 2020

    private let isStaged: Bool

    init(year: Int) { isStaged = year >= Self.firstYearWithStages }

    func stretch(_ span: Span, _ stream: inout SeededStream) -> SleepStretch {
        SleepStretch(stages: isStaged ? staged(span, &stream) : unstaged(span, &stream))
    }

    /// Returns cycles of about an hour and a half: deep sleep early, REM sleep late, short awakenings between.
    private func staged(_ span: Span, _ stream: inout SeededStream) -> [StageSpan] {
        var stages: [StageSpan] = []
        var time = span.start
        var cycle: Int64 = 0
        let add = { (stage: SleepStage, halfMinutes: Int64) in
            let end = min(time + halfMinutes * 30, span.end)
            guard end > time else { return }
            stages.append(StageSpan(stage: stage, span: Span(start: time, end: end)))
            time = end
        }
        while time < span.end {
            add(.core, stream.whole(24, 70))
            add(.deep, max(6, stream.whole(20, 76) - cycle * 16))
            add(.core, stream.whole(20, 56))
            add(.rem, min(80, stream.whole(10, 30) + cycle * 12))
            // The last stage is never an awakening, because getting up ends the stretch.
            if stream.chance(0.6), span.end - time > 1800 { add(.awake, stream.whole(1, 16)) }
            cycle += 1
        }
        return stages
    }

    /// Returns sleep in a few pieces; the watch wrote nothing for the awakenings between.
    private func unstaged(_ span: Span, _ stream: inout SeededStream) -> [StageSpan] {
        var stages: [StageSpan] = []
        var time = span.start
        while time < span.end {
            var end = min(time + stream.whole(120, 420) * 30, span.end)
            if span.end - end < 1800 { end = span.end }
            stages.append(StageSpan(stage: .asleep, span: Span(start: time, end: end)))
            time = end + stream.whole(4, 40) * 30
        }
        return stages
    }
}

/// Plans naps. A nap is only recorded if the following night is too.
private struct NapPlanner: Sendable {
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

/// Plans when the watch is off the wrist: while it charges, in some nights, and for some hours or all of some days.
private struct WearPlanner: Sendable {
    let seed: UInt64

    /// Plans the wear on the day between `night` and `nightAfter`. A nap requires the watch, so on such days it is off
    /// only for charging.
    func wear(from night: Night, to nightAfter: Night, hasNap: Bool) -> WatchWear {
        var stream = SeededStream(seed: seed, day: night.day.ordinal, purpose: .wear)
        let chance = stream.unit()
        let awake = Span(start: night.inBed.end, end: nightAfter.inBed.start)
        var off = [night, nightAfter].filter { !$0.isWatchWorn }.map {
            Span(start: $0.inBed.start - 600, end: $0.inBed.end + 300)
        }
        let isForgotten = !hasNap && chance < 0.012
        if isForgotten {
            off.append(awake)
        } else if !hasNap, chance < 0.04 {
            let start = awake.start + stream.whole(7200, 18_000)
            off.append(Span(start: start, end: min(start + stream.whole(5400, 12_600), awake.end - 3600)))
        } else {
            off.append(charging(awake, inTheMorning: chance > 0.7, &stream))
        }
        return WatchWear(off: off.filter { $0.end > $0.start }, isForgotten: isForgotten)
    }

    private func charging(_ awake: Span, inTheMorning: Bool, _ stream: inout SeededStream) -> Span {
        let length = stream.whole(2100, 3600)
        let start =
            inTheMorning ? awake.start + stream.whole(300, 900) : awake.end - length - stream.whole(1200, 5400)
        return Span(start: start, end: start + length)
    }
}

import HealthSyncDomain

/// Plans the sleep before each day. A night depends only on the seed and its day.
struct NightPlanner: Sendable {
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

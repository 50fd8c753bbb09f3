import HealthSyncDomain

/// Active or basal energy: sums of consecutive intervals while the watch is worn.
struct EnergySeries: RecordSeries {
    enum Measure {
        case active
        case basal
    }

    let measure: Measure
    let seed: UInt64
    let density: Double

    var type: String {
        measure == .active
            ? "HKQuantityTypeIdentifierActiveEnergyBurned" : "HKQuantityTypeIdentifierBasalEnergyBurned"
    }

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: purpose)
        let head = RecordHead(type, unit: "kcal", recorder: .watch, device: plan.watch, seed: seed)
        // Intervals do not begin at midnight: one of them crosses it.
        let end = plan.isLast ? plan.span.end : plan.span.end + overhang(of: plan.day.advanced(by: 1))
        var start = plan.span.start + overhang(of: plan.day)
        while start < end {
            let span = Span(start: start, end: min(start + length(at: start, plan), end))
            let thousandths = energy(over: span, plan, &stream)
            let created = span.end + stream.whole(5, 400)
            if thousandths > 0, plan.wear.isWorn(during: span) {
                if measure == .active { enterTruth(thousandths, span, plan.day, in: &page.truth) }
                page.write(head, type: type, created: created, span, .number(thousandths, decimals: 3))
            }
            start = span.end
        }
    }

    private var purpose: Purpose { measure == .active ? .activeEnergy : .basalEnergy }

    private func overhang(of day: CalendarDay) -> Int64 {
        var stream = SeededStream(seed: ~seed, day: day.ordinal, purpose: purpose)
        return stream.whole(0, 500)
    }

    private func length(at start: Int64, _ plan: DayPlan) -> Int64 {
        let seconds = measure == .active && !plan.isAsleep(at: start) ? 900.0 : 3600
        return min(3600, max(30, Int64(seconds / density)))
    }

    /// Returns the energy in thousandths of a kilocalorie.
    private func energy(over span: Span, _ plan: DayPlan, _ stream: inout SeededStream) -> Int64 {
        guard measure == .active else { return span.seconds * stream.whole(17_400, 18_900) / 1000 }
        let isAsleep = plan.isAsleep(at: span.start)
        let resting = span.seconds * (isAsleep ? stream.whole(200, 700) : stream.whole(2500, 7500)) / 1000
        return plan.walks.reduce(resting) { sum, walk in
            let seconds = walk.span.common(with: span)
            return seconds == 0 ? sum : sum + walk.steps * 42 * seconds / walk.span.seconds
        }
    }

    private func enterTruth(_ thousandths: Int64, _ span: Span, _ day: CalendarDay, in truth: inout TruthLedger) {
        truth.spread(over: span, from: day) { figures, share in
            guard share > 0 else { return }
            figures.activeEnergy = (figures.activeEnergy ?? 0) + Double(thousandths) / 1000 * share
        }
    }
}

/// Exercise time: one record for each minute at a brisk pace.
struct ExerciseSeries: RecordSeries {
    let seed: UInt64
    let type = "HKQuantityTypeIdentifierAppleExerciseTime"

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        let head = RecordHead(type, unit: "min", recorder: .watch, device: plan.watch, seed: seed)
        for walk in plan.walks where walk.isBrisk && walk.hasWatch {
            for minute in 0..<walk.span.seconds / 60 {
                let start = walk.span.start + minute * 60
                let span = Span(start: start, end: start + 60)
                page.truth.spread(over: span, from: plan.day) { figures, share in
                    guard share > 0 else { return }
                    figures.exerciseMinutes = (figures.exerciseMinutes ?? 0) + share
                }
                page.write(head, type: type, created: walk.span.end + 30, span, .number(1))
            }
        }
    }
}

/// Stand hours: whether the user stood up during each waking hour.
struct StandHourSeries: RecordSeries {
    let seed: UInt64
    let type = "HKCategoryTypeIdentifierAppleStandHour"

    private static let stood = RecordValue.name(Array("HKCategoryValueAppleStandHourStood".utf8))
    private static let idle = RecordValue.name(Array("HKCategoryValueAppleStandHourIdle".utf8))

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: .standHours)
        let head = RecordHead(type, unit: nil, recorder: .watch, device: plan.watch, seed: seed)
        for hour in page.truth.timeline.clock.hours(of: plan.day) {
            let span = Span(start: hour.start.seconds, end: hour.end.seconds)
            let hasStood = stream.chance(0.86)
            guard span.start >= plan.awake.start, span.end <= plan.awake.end, plan.wear.isWorn(during: span) else {
                continue
            }
            if hasStood { page.truth.change(plan.day) { $0.standHours += 1 } }
            page.write(head, type: type, created: span.end + 5, span, hasStood ? Self.stood : Self.idle)
        }
    }
}

/// Stand time: minutes standing, in intervals of five minutes with walking.
struct StandTimeSeries: RecordSeries {
    let seed: UInt64
    let type = "HKQuantityTypeIdentifierAppleStandTime"

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: .standTime)
        let head = RecordHead(type, unit: "min", recorder: .watch, device: plan.watch, seed: seed)
        var written = plan.span.start
        for walk in plan.walks where walk.hasWatch {
            var start = max(written, walk.span.start - walk.span.start % 300)
            while start < walk.span.end, start + 300 <= plan.span.end {
                let span = Span(start: start, end: start + 300)
                page.write(head, type: type, created: span.end + 2, span, .number(stream.whole(1, 5)))
                start = span.end
            }
            written = start
        }
    }
}

/// The activity summary of each day. Written after the records, because it is computed from their truth.
struct ActivitySummaries: RecordSeries {
    let type = "ActivitySummary"

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        let figures = page.truth.figures(of: plan.day)
        let energy = RecordValue.number(Int64(((figures.activeEnergy ?? 0) * 1000).rounded()), decimals: 3).text
        let exercise = Int64((figures.exerciseMinutes ?? 0).rounded())
        page.write(
            " <ActivitySummary dateComponents=\"\(plan.day)\" activeEnergyBurned=\"\(energy)\" "
                + "activeEnergyBurnedGoal=\"520\" activeEnergyBurnedUnit=\"kcal\" appleMoveTime=\"0\" "
                + "appleMoveTimeGoal=\"0\" appleExerciseTime=\"\(exercise)\" appleExerciseTimeGoal=\"30\" "
                + "appleStandHours=\"\(figures.standHours)\" appleStandHoursGoal=\"12\"/>\n")
    }
}

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

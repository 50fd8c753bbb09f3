import HealthSyncDomain

/// Steps or walking distance, counted by watch and phone independently.
struct WalkedSeries: RecordSeries {
    enum Measure {
        case steps
        case distance
    }

    let measure: Measure
    let seed: UInt64

    var type: String {
        measure == .steps
            ? "HKQuantityTypeIdentifierStepCount" : "HKQuantityTypeIdentifierDistanceWalkingRunning"
    }

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        for walk in plan.walks { enterTruth(walk, of: plan.day, in: &page.truth) }
        writeWatch(plan, to: &page)
        writePhone(plan, to: &page)
        if measure == .steps { writeEntered(plan, to: &page) }
    }

    private var unit: String { measure == .steps ? "count" : "km" }

    private func total(_ walk: Walk) -> Double {
        measure == .steps ? Double(walk.steps) : Double(walk.millimetres)
    }

    private func value(_ amount: Int64) -> RecordValue { .number(amount, decimals: measure == .steps ? 0 : 6) }

    private func enterTruth(_ walk: Walk, of day: CalendarDay, in truth: inout TruthLedger) {
        truth.spread(over: walk.span, from: day) { figures, share in
            switch measure {
            case .steps: figures.steps += Double(walk.steps) * share
            case .distance: figures.kilometres += Double(walk.millimetres) / 1_000_000 * share
            }
        }
    }

    private func writeWatch(_ plan: DayPlan, to page: inout ExportPage) {
        let purpose: Purpose = measure == .steps ? .watchSteps : .watchDistance
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: purpose)
        let head = RecordHead(type, unit: unit, recorder: .watch, device: plan.watch, seed: seed)
        for walk in plan.walks where walk.hasWatch {
            let total = Int64((total(walk) * stream.uniform(0.995, 1.005)).rounded())
            for piece in WalkPieces.watch(walk, total: total, &stream) {
                let created = piece.span.end + stream.whole(5, 90)
                page.write(head, type: type, created: created, piece.span, value(piece.amount))
            }
        }
    }

    private func writePhone(_ plan: DayPlan, to page: inout ExportPage) {
        let purpose: Purpose = measure == .steps ? .phoneSteps : .phoneDistance
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: purpose)
        let head = RecordHead(type, unit: unit, recorder: .phone, device: plan.phone, seed: seed)
        for walk in plan.walks where walk.hasPhone {
            let total = Int64((total(walk) * stream.uniform(0.975, 1.02)).rounded())
            for piece in WalkPieces.phone(walk, total: total, &stream) {
                let created = piece.span.end + stream.whole(60, 900)
                page.write(head, type: type, created: created, piece.span, value(piece.amount))
            }
        }
    }

    /// Writes steps entered by the user: the part of a walk that the watch counted, or, without a duration, steps that
    /// no device counted.
    private func writeEntered(_ plan: DayPlan, to page: inout ExportPage) {
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: .manualSteps)
        guard stream.chance(0.03),
            let walk = plan.walks.first(where: { $0.hasWatch && $0.kind == .stroll && $0.span.seconds > 400 })
        else { return }
        let middle = walk.span.start + walk.span.seconds / 2
        let half = stream.chance(0.3) ? 0 : walk.span.seconds / 2 - 60
        let hundreds = (walk.steps / 1000 + 1) * 100
        let shared = Int64((Double(walk.steps) * Double(2 * half) / Double(walk.span.seconds)).rounded())
        if half == 0 {
            page.truth.spread(over: Span(start: middle, end: middle + 1), from: plan.day) { figures, share in
                figures.steps += Double(hundreds) * share
            }
        }
        let head = RecordHead(
            type, unit: unit, recorder: .user, sourceName: "Health", version: plan.phone.software)
        page.write(
            head, type: type, created: plan.awake.end - 600, Span(start: middle - half, end: middle + half),
            .number(half == 0 ? hundreds : shared), children: Metadata.userEntered)
    }
}

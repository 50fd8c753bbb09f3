import HealthSyncDomain

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

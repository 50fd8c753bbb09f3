import HealthSyncDomain

/// The resting or walking heart rate: one record for each day on which the watch was worn.
struct DailyRateSeries: RecordSeries {
    enum Measure {
        case resting
        case walking
    }

    let measure: Measure
    let seed: UInt64

    var type: String {
        measure == .resting
            ? "HKQuantityTypeIdentifierRestingHeartRate" : "HKQuantityTypeIdentifierWalkingHeartRateAverage"
    }

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        guard !plan.wear.isForgotten else { return }
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: .walkingRate)
        let start = plan.awake.start + 600
        let span = Span(start: start, end: max(start + 60, min(start + 36_000, plan.span.end - 60)))
        var rate = plan.restingRate
        switch measure {
        case .resting: page.truth.change(plan.day) { $0.restingHeartRate = rate }
        case .walking: rate += stream.whole(34, 48)
        }
        let head = RecordHead(type, unit: "count/min", recorder: .watch, device: plan.watch, seed: seed)
        page.write(head, type: type, created: span.end, span, .number(rate))
    }
}

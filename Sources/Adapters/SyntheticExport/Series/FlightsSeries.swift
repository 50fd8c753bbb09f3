import HealthSyncDomain

/// Flights of stairs, counted by watch and phone.
struct FlightsSeries: RecordSeries {
    let seed: UInt64
    let type = "HKQuantityTypeIdentifierFlightsClimbed"

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: .flights)
        let watch = RecordHead(type, unit: "count", recorder: .watch, device: plan.watch, seed: seed)
        let phone = RecordHead(type, unit: "count", recorder: .phone, device: plan.phone, seed: seed)
        for walk in plan.walks where walk.kind == .stroll && stream.chance(0.6) {
            let count = stream.whole(1, 4)
            let span = Span(start: walk.span.start + walk.span.seconds / 2, end: walk.span.end)
            if walk.hasWatch { page.write(watch, type: type, created: span.end + 40, span, .number(count)) }
            if walk.hasPhone { page.write(phone, type: type, created: span.end + 300, span, .number(count)) }
        }
    }
}

import HealthSyncDomain

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

import HealthSyncDomain

/// Body mass from a scale's app, on some mornings each week.
struct BodyMassSeries: RecordSeries {
    let seed: UInt64
    let type = "HKQuantityTypeIdentifierBodyMass"

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: .bodyMass)
        guard stream.chance(0.3) else { return }
        let time = plan.awake.start + stream.whole(60, 460)
        let drift = Int64((plan.day.ordinal / 20) % 24)
        let head = RecordHead(
            type, unit: "kg", recorder: .scale, sourceName: "Bathroom & Scale", version: "5.2.1")
        page.write(
            head, type: type, created: time + 9, Span(start: time, end: time),
            .number(6620 + drift * 9 + stream.whole(-40, 40), decimals: 2))
    }
}

import HealthSyncDomain

/// Cardio fitness, estimated after most exercises.
struct FitnessSeries: RecordSeries {
    let seed: UInt64
    let type = "HKQuantityTypeIdentifierVO2Max"

    private static let testType = Metadata.entry("HKVO2MaxTestType", "2")

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: .fitness)
        let head = RecordHead(type, unit: "mL/min\u{B7}kg", recorder: .watch, device: plan.watch, seed: seed)
        for walk in plan.walks where walk.kind == .exercise && walk.hasWatch && stream.chance(0.7) {
            let end = walk.span.end
            page.write(
                head, type: type, created: end + 30, Span(start: end, end: end),
                .number(stream.whole(3600, 4400), decimals: 2), children: Self.testType)
        }
    }
}

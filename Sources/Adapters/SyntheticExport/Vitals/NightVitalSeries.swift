import HealthSyncDomain

/// Respiratory rate or blood oxygen, measured by the watch during sleep.
struct NightVitalSeries: RecordSeries {
    enum Measure {
        case breathing
        case oxygen
    }

    let measure: Measure
    let seed: UInt64
    let density: Double

    var type: String {
        measure == .breathing
            ? "HKQuantityTypeIdentifierRespiratoryRate" : "HKQuantityTypeIdentifierOxygenSaturation"
    }

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        guard plan.day.components.year >= StagePlanner.firstYearWithStages else { return }
        let purpose: Purpose = measure == .breathing ? .breathing : .oxygen
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: purpose)
        let unit = measure == .breathing ? "count/min" : "%"
        let head = RecordHead(type, unit: unit, recorder: .watch, device: plan.watch, seed: seed)
        let pause = max(300, Int64((measure == .breathing ? 2100 : 4500) / density))
        for stretch in plan.night.watchStretches {
            var time = stretch.span.start + stream.whole(300, 1500)
            while time < stretch.span.end {
                let value: RecordValue =
                    measure == .breathing
                    ? .number(stream.whole(24, 36) * 5, decimals: 1) : .number(stream.whole(93, 100), decimals: 2)
                page.write(head, type: type, created: time + 400, Span(start: time, end: time), value)
                time += pause + stream.whole(0, 600)
            }
        }
    }
}

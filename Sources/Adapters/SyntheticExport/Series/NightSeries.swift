import HealthSyncDomain

/// Sleep: stages or unspecified sleep from the watch, time in bed from the phone, each with the user's time zone.
struct SleepSeries: RecordSeries {
    let seed: UInt64
    let type = "HKCategoryTypeIdentifierSleepAnalysis"

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        let watch = RecordHead(type, unit: nil, recorder: .watch, device: plan.watch, seed: seed)
        let zone = Metadata.entry("HKTimeZone", plan.zoneName)
        for stretch in plan.night.watchStretches + (plan.nap.map { [$0] } ?? []) {
            let created = stretch.span.end + 45
            for stage in stretch.stages {
                page.write(
                    watch, type: type, created: created, stage.span, Self.value(stage.stage), children: zone)
            }
        }
        if let inBed = plan.night.phoneInBed {
            let phone = RecordHead(type, unit: nil, recorder: .phone, device: plan.phone, seed: seed)
            page.write(phone, type: type, created: inBed.end + 20, inBed, Self.value(.inBed), children: zone)
        }
    }

    private static let values: [SleepStage: [UInt8]] = [
        .inBed: name("InBed"), .asleep: name("AsleepUnspecified"), .awake: name("Awake"),
        .core: name("AsleepCore"), .deep: name("AsleepDeep"), .rem: name("AsleepREM"),
    ]

    private static func name(_ stage: String) -> [UInt8] { Array("HKCategoryValueSleepAnalysis\(stage)".utf8) }

    private static func value(_ stage: SleepStage) -> RecordValue { .name(values[stage] ?? []) }
}

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

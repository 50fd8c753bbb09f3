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

import HealthSyncDomain

/// A blood pressure measurement. Apple writes each record twice: at the top level, and again within a correlation.
struct BloodPressureReading {
    let time: Int64
    let systolic: Int64
    let diastolic: Int64

    static let systolicType = "HKQuantityTypeIdentifierBloodPressureSystolic"
    static let diastolicType = "HKQuantityTypeIdentifierBloodPressureDiastolic"
    static let sourceName = "Cuff Diary"
    static let version = "3.4"

    /// Creates the reading of a day, on about one day in five.
    init?(_ plan: DayPlan, seed: UInt64) {
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: .bloodPressure)
        guard stream.chance(0.2) else { return nil }
        time = plan.awake.start + stream.whole(1800, 5400)
        systolic = stream.whole(108, 134)
        diastolic = stream.whole(66, 86)
    }

    static func head(_ type: String) -> RecordHead {
        RecordHead(type, unit: "mmHg", recorder: .cuff, sourceName: sourceName, version: version)
    }

    var span: Span { Span(start: time, end: time) }
}

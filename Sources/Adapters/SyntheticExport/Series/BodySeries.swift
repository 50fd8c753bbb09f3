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

/// One of the two records of each blood pressure measurement.
struct BloodPressureSeries: RecordSeries {
    let seed: UInt64
    let isSystolic: Bool

    var type: String {
        isSystolic ? BloodPressureReading.systolicType : BloodPressureReading.diastolicType
    }

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        guard let reading = BloodPressureReading(plan, seed: seed) else { return }
        page.write(
            BloodPressureReading.head(type), type: type, created: reading.time + 20, reading.span,
            .number(isSystolic ? reading.systolic : reading.diastolic))
    }
}

/// A blood pressure measurement. Apple writes each record twice: at the top level, and again within a correlation.
private struct BloodPressureReading {
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

/// The correlations, which repeat both records of each blood pressure measurement.
struct BloodPressureCorrelations: RecordSeries {
    let seed: UInt64
    let type = "HKCorrelationTypeIdentifierBloodPressure"

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        guard let reading = BloodPressureReading(plan, seed: seed) else { return }
        let created = page.dates.text(reading.time + 20)
        let time = page.dates.text(reading.time)
        page.write(
            " <Correlation type=\"\(type)\" sourceName=\"\(BloodPressureReading.sourceName)\" "
                + "sourceVersion=\"\(BloodPressureReading.version)\" creationDate=\"\(created)\" "
                + "startDate=\"\(time)\" endDate=\"\(time)\">\n")
        page.writeNested(
            BloodPressureReading.head(BloodPressureReading.systolicType), created: reading.time + 20, reading.span,
            .number(reading.systolic))
        page.writeNested(
            BloodPressureReading.head(BloodPressureReading.diastolicType), created: reading.time + 20, reading.span,
            .number(reading.diastolic))
        page.write(" </Correlation>\n")
    }
}

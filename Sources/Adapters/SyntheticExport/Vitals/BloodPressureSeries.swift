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

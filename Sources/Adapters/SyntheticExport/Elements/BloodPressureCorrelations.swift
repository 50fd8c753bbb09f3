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

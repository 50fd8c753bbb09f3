import HealthSyncDomain
import HealthSyncTestKit

/// The expected sample for a record of expat.
struct ExpatExpectation {
    let record: ExpatRecord
    let value: Double

    private static let types = SampleTypeTable.builtIn()
    private static let sleep = "HKCategoryTypeIdentifierSleepAnalysis"

    /// `nil` for a record with an unusable value or unit.
    init?(_ record: ExpatRecord) {
        guard record.end >= record.start, record.isPlausible else { return nil }
        self.record = record
        let definition = Self.types[SampleType(rawValue: record.type)]
        if record.type.hasPrefix("HKCategory") {
            let states = definition?.categoryValues ?? [:]
            guard let text = record.value else {
                // The first exports state only the time in bed, without a value.
                guard states.isEmpty || record.type == Self.sleep else { return nil }
                value = 0
                return
            }
            guard let state = states[text] ?? Int(text) else { return nil }
            value = Double(state)
        } else {
            let isNumber = record.value?.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) != nil
            guard isNumber, let text = record.value, let number = Double(text), let unit = record.unit else {
                return nil
            }
            value = definition?.conversion(from: unit)?(number) ?? number
        }
    }

    func allows(_ sample: SourceSample) -> Bool {
        ExpatRecord.Place(sample) == record.place && sample.value == value
            && sample.zoneName == record.says("HKTimeZone").flatMap { $0.isEmpty ? nil : $0 }
            && sample.origin.isUserEntered == (record.says("HKWasUserEntered") == "1")
    }
}

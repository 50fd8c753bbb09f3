import HealthSyncDomain

/// What a metric of the feed is in HealthKit's terms.
enum HealthAutoExportMetric {
    /// Entries with a figure; `assumedUnit` is what entries without a stated unit are in, where the app knows only one.
    case quantity(SampleType, SampleKind, assumedUnit: String?)
    /// Entries with a systolic and a diastolic figure.
    case bloodPressure
    /// Stretches of sleep, or sums of a night.
    case sleep

    init?(named name: String) {
        switch name {
        case "sleep_analysis": self = .sleep
        case "blood_pressure": self = .bloodPressure
        default:
            guard let row = Self.table[name] ?? Self.identifiers[name] else { return nil }
            self = .quantity(SampleType(rawValue: "HKQuantityTypeIdentifier" + row.0), row.1, assumedUnit: row.2)
        }
    }

    static let systolic = SampleType(rawValue: "HKQuantityTypeIdentifierBloodPressureSystolic")
    static let diastolic = SampleType(rawValue: "HKQuantityTypeIdentifierBloodPressureDiastolic")
}

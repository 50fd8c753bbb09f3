import HealthSyncDomain

/// The meaning of a metric of the feed in HealthKit's terms.
enum HealthAutoExportMetric {
    /// Entries with a value; `assumedUnit` is the unit of entries without one, for metrics for which the app has only
    /// one unit.
    case quantity(SampleType, SampleKind, assumedUnit: String?)
    /// Entries with a systolic and a diastolic value.
    case bloodPressure
    /// Sleep intervals, or sums of a night.
    case sleep
    /// Entries of so many minutes, each a session.
    case mindfulness

    init?(named name: String) {
        switch name {
        case "sleep_analysis": self = .sleep
        case "blood_pressure": self = .bloodPressure
        case "mindful_minutes", "mindful_session": self = .mindfulness
        default:
            guard let row = Self.table[name] ?? Self.identifiers[name] else { return nil }
            self = .quantity(SampleType(rawValue: "HKQuantityTypeIdentifier" + row.0), row.1, assumedUnit: row.2)
        }
    }

    static let systolic = SampleType(rawValue: "HKQuantityTypeIdentifierBloodPressureSystolic")
    static let mindfulSession = SampleType(rawValue: "HKCategoryTypeIdentifierMindfulSession")
    static let diastolic = SampleType(rawValue: "HKQuantityTypeIdentifierBloodPressureDiastolic")
}

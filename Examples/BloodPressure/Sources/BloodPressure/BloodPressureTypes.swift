import HealthSyncDomain

extension SampleTypeDefinition {
    /// Systolic blood pressure in millimetres of mercury.
    public static let bloodPressureSystolic = pressure("BloodPressureSystolic")
    /// Diastolic blood pressure in millimetres of mercury.
    public static let bloodPressureDiastolic = pressure("BloodPressureDiastolic")

    private static func pressure(_ name: String) -> SampleTypeDefinition {
        // 1 mmHg is 133.322387415 Pa (NIST SP 811).
        SampleTypeDefinition(
            SampleType(rawValue: "HKQuantityTypeIdentifier" + name), .discrete, unit: "mmHg",
            factors: ["kPa": 1000 / 133.322387415, "Pa": 1 / 133.322387415])
    }
}

extension HealthMetric {
    /// Both pressures together: the name for `--metrics`.
    public static let bloodPressure = HealthMetric(rawValue: "bloodPressure")
    /// Systolic pressure of complete readings; unit `mmHg`.
    public static let bloodPressureSystolic = HealthMetric(rawValue: "bloodPressureSystolic")
    /// Diastolic pressure of complete readings; unit `mmHg`.
    public static let bloodPressureDiastolic = HealthMetric(rawValue: "bloodPressureDiastolic")
}

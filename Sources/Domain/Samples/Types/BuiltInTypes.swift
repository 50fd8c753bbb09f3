extension SampleTypeDefinition {
    /// Steps; unit `count`.
    public static let stepCount = quantity("StepCount", .cumulative, "count")
    /// Heart rate; unit `count/min`; old exports use `count/s`.
    public static let heartRate = quantity(
        "HeartRate", .discrete, .temporallyWeighted, "count/min", UnitFactors.frequency,
        within: PlausibleRanges.heartRates)
    /// Resting heart rate; unit `count/min`.
    public static let restingHeartRate = quantity(
        "RestingHeartRate", .discrete, .arithmetic, "count/min", UnitFactors.frequency,
        within: PlausibleRanges.heartRates)
    /// Active energy; unit `kcal`.
    public static let activeEnergyBurned = quantity("ActiveEnergyBurned", .cumulative, "kcal", UnitFactors.energy)
    /// Exercise time; unit `min`.
    public static let exerciseTime = quantity("AppleExerciseTime", .cumulative, "min", UnitFactors.time)
    /// Distance walked and run; unit `km`.
    public static let walkingRunningDistance = quantity(
        "DistanceWalkingRunning", .cumulative, "km", UnitFactors.distance)
    /// Sleep; the value is HealthKit's number of the stage.
    public static let sleepAnalysis = SampleTypeDefinition(
        SampleType(rawValue: "HKCategoryTypeIdentifierSleepAnalysis"), .category, unit: "",
        categoryValues: [
            "HKCategoryValueSleepAnalysisInBed": 0, "HKCategoryValueSleepAnalysisAsleep": 1,
            "HKCategoryValueSleepAnalysisAsleepUnspecified": 1, "HKCategoryValueSleepAnalysisAwake": 2,
            "HKCategoryValueSleepAnalysisAsleepCore": 3, "HKCategoryValueSleepAnalysisAsleepDeep": 4,
            "HKCategoryValueSleepAnalysisAsleepREM": 5,
        ])

    static func quantity(
        _ name: String, _ kind: SampleKind, _ unit: String, _ factors: [String: Double] = [:],
        within plausibleValues: ClosedRange<Double>? = nil, counting: SampleCounting = .spans
    ) -> SampleTypeDefinition {
        quantity(name, kind, .arithmetic, unit, factors, within: plausibleValues, counting: counting)
    }

    static func quantity(
        _ name: String, _ kind: SampleKind, _ averaging: SampleAveraging, _ unit: String,
        _ factors: [String: Double] = [:], within plausibleValues: ClosedRange<Double>? = nil,
        counting: SampleCounting = .spans
    ) -> SampleTypeDefinition {
        SampleTypeDefinition(
            SampleType(rawValue: "HKQuantityTypeIdentifier" + name), kind, averaging: averaging, counting: counting,
            unit: unit, plausibleValues: plausibleValues, factors: factors)
    }
}

extension SampleTypeTable {
    static let builtInRows = activityRows + bodyRows + dietaryRows + categoryRows
}

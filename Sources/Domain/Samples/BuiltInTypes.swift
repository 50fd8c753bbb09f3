extension SampleTypeDefinition {
    /// Steps; unit `count`.
    public static let stepCount = quantity("StepCount", .cumulative, "count")
    /// Heart rate; unit `count/min`; old exports use `count/s`.
    public static let heartRate = quantity("HeartRate", .discrete, "count/min", ["count/s": 60, "bpm": 1])
    /// Resting heart rate; unit `count/min`.
    public static let restingHeartRate = quantity(
        "RestingHeartRate", .discrete, "count/min", ["count/s": 60, "bpm": 1])
    /// Active energy; unit `kcal`.
    public static let activeEnergyBurned = quantity("ActiveEnergyBurned", .cumulative, "kcal", energy)
    /// Exercise time; unit `min`.
    public static let exerciseTime = quantity("AppleExerciseTime", .cumulative, "min", time)
    /// Distance walked and run; unit `km`.
    public static let walkingRunningDistance = quantity("DistanceWalkingRunning", .cumulative, "km", distance)
    /// Sleep; the value is HealthKit's number of the stage.
    public static let sleepAnalysis = SampleTypeDefinition(
        SampleType(rawValue: "HKCategoryTypeIdentifierSleepAnalysis"), .category, unit: "",
        categoryValues: [
            "HKCategoryValueSleepAnalysisInBed": 0, "HKCategoryValueSleepAnalysisAsleep": 1,
            "HKCategoryValueSleepAnalysisAsleepUnspecified": 1, "HKCategoryValueSleepAnalysisAwake": 2,
            "HKCategoryValueSleepAnalysisAsleepCore": 3, "HKCategoryValueSleepAnalysisAsleepDeep": 4,
            "HKCategoryValueSleepAnalysisAsleepREM": 5,
        ])

    // The thermochemical calorie of HealthKit: HKUnit.kilocalorie is 4184 J.
    static let energy: [String: Double] = ["Cal": 1.0, "cal": 0.001, "kJ": 1 / 4.184, "J": 1 / 4184]
    static let distance: [String: Double] = [
        "m": 0.001, "mi": 1.609344, "ft": 0.0003048, "yd": 0.0009144, "cm": 0.00001,
    ]
    static let time: [String: Double] = ["s": 1.0 / 60, "hr": 60, "ms": 1.0 / 60_000]

    static func quantity(
        _ name: String, _ kind: SampleKind, _ unit: String, _ factors: [String: Double] = [:]
    ) -> SampleTypeDefinition {
        SampleTypeDefinition(
            SampleType(rawValue: "HKQuantityTypeIdentifier" + name), kind, unit: unit, factors: factors)
    }
}

extension SampleTypeTable {
    static let builtInRows: [SampleTypeDefinition] = [
        .stepCount, .heartRate, .restingHeartRate, .activeEnergyBurned, .exerciseTime, .walkingRunningDistance,
        .sleepAnalysis,
    ]
}

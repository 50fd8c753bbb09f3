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

/// The known types with unit and kind. A plug-in adds the types that its handlers read. Other types are stored in the
/// unit in which they are first found.
public struct SampleTypeTable: Sendable {
    private let definitions: [SampleType: SampleTypeDefinition]
    private let ordered: [SampleTypeDefinition]

    /// Creates a table. Later rows replace earlier ones of the same type.
    public init(_ rows: [SampleTypeDefinition]) {
        definitions = Dictionary(rows.map { ($0.type, $0) }, uniquingKeysWith: { $1 })
        ordered = definitions.values.sorted { $0.type < $1.type }
    }

    /// Returns the built-in table, with `rows` added or replaced.
    public static func builtIn(adding rows: [SampleTypeDefinition] = []) -> SampleTypeTable {
        SampleTypeTable(builtInRows + rows)
    }

    /// Returns the row of `type`.
    public subscript(_ type: SampleType) -> SampleTypeDefinition? { definitions[type] }

    /// Returns the row whose short name is `name`, such as `stepCount`, ignoring case.
    public func definition(named name: String) -> SampleTypeDefinition? {
        definitions.values.first { $0.type.shortName.lowercased() == name.lowercased() || $0.type.rawValue == name }
    }

    /// All rows, ordered by identifier.
    public var rows: [SampleTypeDefinition] { ordered }

    private static let builtInRows = activityRows + bodyRows + dietaryRows + categoryRows

    private static let severity = ["Unspecified": 0, "NotPresent": 1, "Mild": 2, "Moderate": 3, "Severe": 4]

    private static let withStates = [
        category("AppleStandHour", "AppleStandHour", ["Stood": 0, "Idle": 1]),
        category(
            "CervicalMucusQuality", "CervicalMucusQuality",
            ["Dry": 1, "Sticky": 2, "Creamy": 3, "Watery": 4, "EggWhite": 5]),
        category(
            "OvulationTestResult", "OvulationTestResult",
            ["Negative": 1, "Positive": 2, "LuteinizingHormoneSurge": 2, "Indeterminate": 3, "EstrogenSurge": 4]),
        bleeding("MenstrualFlow"), bleeding("BleedingAfterPregnancy"), bleeding("BleedingDuringPregnancy"),
        bleeding("BleedingAfterMenopause"),
        category(
            "Contraceptive", "Contraceptive",
            [
                "Unspecified": 1, "Implant": 2, "Injection": 3, "IntrauterineDevice": 4, "IntravaginalRing": 5,
                "Oral": 6, "Patch": 7,
            ]),
        category("PregnancyTestResult", "PregnancyTestResult", ["Negative": 1, "Positive": 2, "Indeterminate": 3]),
        category(
            "ProgesteroneTestResult", "ProgesteroneTestResult", ["Negative": 1, "Positive": 2, "Indeterminate": 3]),
        category("AudioExposureEvent", "EnvironmentalAudioExposureEvent", ["MomentaryLimit": 1]),
        category("HeadphoneAudioExposureEvent", "HeadphoneAudioExposureEvent", ["SevenDayLimit": 1]),
        category("LowCardioFitnessEvent", "LowCardioFitnessEvent", ["LowFitness": 1]),
        category(
            "AppleWalkingSteadinessEvent", "AppleWalkingSteadinessEvent",
            ["InitialLow": 1, "InitialVeryLow": 2, "RepeatLow": 3, "RepeatVeryLow": 4]),
        category(
            "AppetiteChanges", "AppetiteChanges", ["Unspecified": 0, "NoChange": 1, "Decreased": 2, "Increased": 3]),
        category("MoodChanges", "Presence", ["Present": 0, "NotPresent": 1]),
        category("SleepChanges", "Presence", ["Present": 0, "NotPresent": 1]),
    ]

    private static let plain = [
        "MindfulSession", "HighHeartRateEvent", "LowHeartRateEvent", "IrregularHeartRhythmEvent",
        "ToothbrushingEvent", "HandwashingEvent", "IntermenstrualBleeding", "SexualActivity",
        "Lactation", "Pregnancy", "PersistentIntermenstrualBleeding", "ProlongedMenstrualPeriods",
        "IrregularMenstrualCycles", "InfrequentMenstrualCycles", "SleepApneaEvent", "HypertensionEvent",
    ]

    private static let symptoms = [
        "AbdominalCramps", "Acne", "BladderIncontinence", "Bloating", "BreastPain",
        "ChestTightnessOrPain", "Chills", "Constipation", "Coughing", "Diarrhea", "Dizziness", "DrySkin",
        "Fainting", "Fatigue", "Fever", "GeneralizedBodyAche", "HairLoss", "Headache", "Heartburn",
        "HotFlashes", "LossOfSmell", "LossOfTaste", "LowerBackPain", "MemoryLapse", "Nausea",
        "NightSweats", "PelvicPain", "RapidPoundingOrFlutteringHeartbeat", "RunnyNose",
        "ShortnessOfBreath", "SinusCongestion", "SkippedHeartbeat", "SoreThroat", "VaginalDryness",
        "Vomiting", "Wheezing",
    ]

    /// Returns the definition of a type of bleeding. Before iOS 18 its states were `HKCategoryValueMenstrualFlow…`, since then
    /// they are `HKCategoryValueVaginalBleeding…`, also of older samples.
    private static func bleeding(_ name: String) -> SampleTypeDefinition {
        category(
            name, ["VaginalBleeding", "MenstrualFlow"],
            ["Unspecified": 1, "Light": 2, "Medium": 3, "Heavy": 4, "None": 5])
    }

    private static func category(_ name: String, _ prefix: String, _ states: [String: Int]) -> SampleTypeDefinition {
        category(name, [prefix], states)
    }

    /// Returns the definition of a type whose states are written as `HKCategoryValue`, one of `prefixes` and the name of the
    /// state.
    private static func category(
        _ name: String, _ prefixes: [String], _ states: [String: Int]
    ) -> SampleTypeDefinition {
        let values = prefixes.flatMap { prefix in states.map { ("HKCategoryValue" + prefix + $0.key, $0.value) } }
        return SampleTypeDefinition(
            SampleType(rawValue: "HKCategoryTypeIdentifier" + name), .category, unit: "",
            categoryValues: Dictionary(values, uniquingKeysWith: { first, _ in first }))
    }

    /// Activity, exercise and gait.
    private static let activityRows: [SampleTypeDefinition] = [
        .stepCount, .activeEnergyBurned, .exerciseTime, .walkingRunningDistance,
        .quantity("DistanceCycling", .cumulative, "km", UnitFactors.distance),
        .quantity("DistanceWheelchair", .cumulative, "km", UnitFactors.distance),
        .quantity("DistanceSwimming", .cumulative, "km", UnitFactors.distance),
        .quantity("DistanceDownhillSnowSports", .cumulative, "km", UnitFactors.distance),
        .quantity("DistanceCrossCountrySkiing", .cumulative, "km", UnitFactors.distance),
        .quantity("DistancePaddleSports", .cumulative, "km", UnitFactors.distance),
        .quantity("DistanceRowing", .cumulative, "km", UnitFactors.distance),
        .quantity("DistanceSkatingSports", .cumulative, "km", UnitFactors.distance),
        .quantity("BasalEnergyBurned", .cumulative, "kcal", UnitFactors.energy),
        .quantity("FlightsClimbed", .cumulative, "count"),
        .quantity("NikeFuel", .cumulative, "count"),
        .quantity("AppleStandTime", .cumulative, "min", UnitFactors.time),
        .quantity("AppleMoveTime", .cumulative, "min", UnitFactors.time),
        .quantity("PushCount", .cumulative, "count"),
        .quantity("SwimmingStrokeCount", .cumulative, "count"),
        .quantity("VO2Max", .discrete, .arithmetic, "mL/min·kg", within: PlausibleRanges.oxygenUptakes),
        .quantity("PhysicalEffort", .discrete, .arithmetic, "kcal/hr·kg", within: PlausibleRanges.scores),
        .quantity(
            "EstimatedWorkoutEffortScore", .discrete, .arithmetic, "appleEffortScore", within: PlausibleRanges.scores),
        .quantity("WorkoutEffortScore", .discrete, .arithmetic, "appleEffortScore", within: PlausibleRanges.scores),
        .quantity("RunningSpeed", .discrete, .arithmetic, "m/s", UnitFactors.speed, within: PlausibleRanges.speeds),
        .quantity("RunningPower", .discrete, .arithmetic, "W", within: PlausibleRanges.powers),
        .quantity(
            "RunningStrideLength", .discrete, .arithmetic, "cm", UnitFactors.length, within: PlausibleRanges.strides),
        .quantity(
            "RunningGroundContactTime", .discrete, .arithmetic, "ms", UnitFactors.shortTime,
            within: PlausibleRanges.shortTimes),
        .quantity(
            "RunningVerticalOscillation", .discrete, .arithmetic, "cm", UnitFactors.length,
            within: PlausibleRanges.strides),
        .quantity("CyclingSpeed", .discrete, .arithmetic, "m/s", UnitFactors.speed, within: PlausibleRanges.speeds),
        .quantity("CyclingPower", .discrete, .arithmetic, "W", within: PlausibleRanges.powers),
        .quantity(
            "CyclingCadence", .discrete, .arithmetic, "count/min", UnitFactors.frequency,
            within: PlausibleRanges.cadences),
        .quantity("CyclingFunctionalThresholdPower", .discrete, .arithmetic, "W", within: PlausibleRanges.powers),
        .quantity(
            "CrossCountrySkiingSpeed", .discrete, .arithmetic, "m/s", UnitFactors.speed, within: PlausibleRanges.speeds),
        .quantity(
            "PaddleSportsSpeed", .discrete, .arithmetic, "m/s", UnitFactors.speed, within: PlausibleRanges.speeds),
        .quantity("RowingSpeed", .discrete, .arithmetic, "m/s", UnitFactors.speed, within: PlausibleRanges.speeds),
        .quantity("WalkingSpeed", .discrete, .arithmetic, "m/s", UnitFactors.speed, within: PlausibleRanges.speeds),
        .quantity(
            "WalkingStepLength", .discrete, .arithmetic, "cm", UnitFactors.length, within: PlausibleRanges.strides),
        .quantity("WalkingAsymmetryPercentage", .discrete, .arithmetic, "%", within: PlausibleRanges.fractions),
        .quantity("WalkingDoubleSupportPercentage", .discrete, .arithmetic, "%", within: PlausibleRanges.fractions),
        .quantity("AppleWalkingSteadiness", .discrete, .arithmetic, "%", within: PlausibleRanges.fractions),
        .quantity(
            "SixMinuteWalkTestDistance", .discrete, .arithmetic, "m", UnitFactors.depth, within: PlausibleRanges.walks),
        .quantity("StairAscentSpeed", .discrete, .arithmetic, "m/s", UnitFactors.speed, within: PlausibleRanges.speeds),
        .quantity(
            "StairDescentSpeed", .discrete, .arithmetic, "m/s", UnitFactors.speed, within: PlausibleRanges.speeds),
    ]

    /// Vital signs, body measurements, test results and environment.
    private static let bodyRows: [SampleTypeDefinition] = [
        .heartRate, .restingHeartRate,
        .quantity(
            "WalkingHeartRateAverage", .discrete, .arithmetic, "count/min", UnitFactors.frequency,
            within: PlausibleRanges.heartRates),
        .quantity(
            "HeartRateVariabilitySDNN", .discrete, .arithmetic, "ms", UnitFactors.shortTime,
            within: PlausibleRanges.shortTimes),
        .quantity(
            "HeartRateVariabilityRMSSD", .discrete, .arithmetic, "ms", UnitFactors.shortTime,
            within: PlausibleRanges.shortTimes),
        .quantity(
            "HeartRateRecoveryOneMinute", .discrete, .arithmetic, "count/min", UnitFactors.frequency,
            within: PlausibleRanges.heartRateFalls),
        .quantity("AtrialFibrillationBurden", .discrete, .temporallyWeighted, "%", within: PlausibleRanges.fractions),
        .quantity("OxygenSaturation", .discrete, .arithmetic, "%", within: PlausibleRanges.parts),
        .quantity(
            "RespiratoryRate", .discrete, .arithmetic, "count/min", UnitFactors.frequency,
            within: PlausibleRanges.breaths),
        .quantity(
            "BloodPressureSystolic", .discrete, .arithmetic, "mmHg", UnitFactors.pressure,
            within: PlausibleRanges.pressures),
        .quantity(
            "BloodPressureDiastolic", .discrete, .arithmetic, "mmHg", UnitFactors.pressure,
            within: PlausibleRanges.pressures),
        .quantity("PeripheralPerfusionIndex", .discrete, .arithmetic, "%", within: PlausibleRanges.fractions),
        .quantity("ElectrodermalActivity", .discrete, .arithmetic, "mcS", within: PlausibleRanges.conductances),
        .quantity(
            "AppleSleepingBreathingDisturbances", .discrete, .arithmetic, "count", within: PlausibleRanges.scores),
        .quantity("Height", .state, "cm", UnitFactors.length, within: PlausibleRanges.lengths),
        .quantity("BodyMass", .state, "kg", UnitFactors.bodyMass, within: PlausibleRanges.masses),
        .quantity("BodyMassIndex", .state, "count", within: PlausibleRanges.massIndices),
        .quantity("BodyFatPercentage", .state, "%", within: PlausibleRanges.parts),
        .quantity("LeanBodyMass", .state, "kg", UnitFactors.bodyMass, within: PlausibleRanges.masses),
        .quantity("WaistCircumference", .state, "cm", UnitFactors.length, within: PlausibleRanges.girths),
        .quantity(
            "BloodGlucose", .discrete, .arithmetic, "mg/dL", UnitFactors.glucose, within: PlausibleRanges.glucose),
        .quantity("BloodAlcoholContent", .discrete, .arithmetic, "%", within: PlausibleRanges.fractions),
        .quantity("ForcedExpiratoryVolume1", .discrete, .arithmetic, "L", within: PlausibleRanges.lungVolumes),
        .quantity("ForcedVitalCapacity", .discrete, .arithmetic, "L", within: PlausibleRanges.lungVolumes),
        .quantity("PeakExpiratoryFlowRate", .discrete, .arithmetic, "L/min", within: PlausibleRanges.flows),
        .quantity("InhalerUsage", .cumulative, "count", counting: .events),
        .quantity("InsulinDelivery", .cumulative, "IU", counting: .events),
        .quantity("NumberOfTimesFallen", .cumulative, "count", counting: .events),
        .quantity("NumberOfAlcoholicBeverages", .cumulative, "count", counting: .events),
        .quantity(
            "EnvironmentalAudioExposure", .discrete, .equivalentContinuousLevel, "dBASPL",
            within: PlausibleRanges.levels),
        .quantity(
            "HeadphoneAudioExposure", .discrete, .equivalentContinuousLevel, "dBASPL", within: PlausibleRanges.levels),
        .quantity(
            "EnvironmentalSoundReduction", .discrete, .equivalentContinuousLevel, "dBASPL",
            within: PlausibleRanges.levels),
        .quantity("UVExposure", .discrete, .arithmetic, "count", within: PlausibleRanges.scores),
        .quantity("TimeInDaylight", .cumulative, "min", UnitFactors.time),
        .quantity("UnderwaterDepth", .discrete, .arithmetic, "m", UnitFactors.depth, within: PlausibleRanges.depths),
        temperature("BodyTemperature", within: PlausibleRanges.bodyTemperatures),
        temperature("BasalBodyTemperature", within: PlausibleRanges.bodyTemperatures),
        temperature("AppleSleepingWristTemperature", within: PlausibleRanges.wristTemperatures),
        temperature("WaterTemperature", within: PlausibleRanges.waterTemperatures),
    ]

    private static func temperature(
        _ name: String, within plausibleValues: ClosedRange<Double>
    ) -> SampleTypeDefinition {
        SampleTypeDefinition(
            SampleType(rawValue: "HKQuantityTypeIdentifier" + name), .discrete, averaging: .arithmetic, unit: "degC",
            plausibleValues: plausibleValues, factors: UnitFactors.temperature, offsets: UnitFactors.temperatureOffsets)
    }

    /// Nutrition.
    private static var dietaryRows: [SampleTypeDefinition] {
        dietary(inGrams, "g", UnitFactors.grams) + dietary(inMilligrams, "mg", UnitFactors.milligrams)
            + dietary(inMicrograms, "mcg", UnitFactors.micrograms) + [
                .quantity("DietaryEnergyConsumed", .cumulative, "kcal", UnitFactors.energy, counting: .events),
                .quantity("DietaryWater", .cumulative, "mL", UnitFactors.volume, counting: .events),
            ]
    }

    private static let inGrams = [
        "FatTotal", "FatPolyunsaturated", "FatMonounsaturated", "FatSaturated", "Carbohydrates", "Fiber",
        "Sugar", "Protein",
    ]
    private static let inMilligrams = [
        "Cholesterol", "Sodium", "VitaminB6", "VitaminC", "VitaminE", "Calcium", "Iron", "Thiamin",
        "Riboflavin", "Niacin", "PantothenicAcid", "Phosphorus", "Magnesium", "Zinc", "Copper",
        "Manganese", "Chloride", "Potassium", "Caffeine",
    ]
    private static let inMicrograms = [
        "VitaminA", "VitaminB12", "VitaminD", "VitaminK", "Folate", "Biotin", "Iodine", "Selenium",
        "Chromium", "Molybdenum",
    ]

    private static func dietary(
        _ names: [String], _ unit: String, _ factors: [String: Double]
    ) -> [SampleTypeDefinition] {
        names.map { .quantity("Dietary" + $0, .cumulative, unit, factors, counting: .events) }
    }

    /// States and events. Types without named states have only the state 0.
    private static var categoryRows: [SampleTypeDefinition] {
        [.sleepAnalysis] + withStates + plain.map { category($0, "", [:]) }
            + symptoms.map { category($0, "Severity", severity) }
    }
}

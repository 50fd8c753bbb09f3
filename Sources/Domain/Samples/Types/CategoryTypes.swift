extension SampleTypeTable {
    /// States and events. Types without named states have only the state 0.
    static var categoryRows: [SampleTypeDefinition] {
        [.sleepAnalysis] + withStates + plain.map { category($0, "", [:]) }
            + symptoms.map { category($0, "Severity", severity) }
    }

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
}

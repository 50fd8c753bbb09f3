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

    /// The app's metric names with HealthKit's name, the kind, and the unit if the app has only one.
    static let table: [String: (String, SampleKind, String?)] =
        activity.merging(bodyAndVitals) { $1 }.merging(movement) { $1 }.merging(food) { $1 }

    /// The same table by HealthKit's identifiers in snake case (`dietary_caffeine`), which some versions of the app
    /// write.
    private static let identifiers: [String: (String, SampleKind, String?)] = Dictionary(
        (Array(table.values) + further).map { (snakeCase($0.0), $0) }, uniquingKeysWith: { first, _ in first })

    private static let further: [(String, SampleKind, String?)] = [
        ("NumberOfAlcoholicBeverages", .cumulative, "count"), ("NikeFuel", .cumulative, "count"),
        ("DistanceCrossCountrySkiing", .cumulative, nil), ("DistancePaddleSports", .cumulative, nil),
        ("DistanceRowing", .cumulative, nil), ("DistanceSkatingSports", .cumulative, nil),
        ("CrossCountrySkiingSpeed", .discrete, nil), ("PaddleSportsSpeed", .discrete, nil),
        ("RowingSpeed", .discrete, nil), ("WorkoutEffortScore", .discrete, nil),
        ("EstimatedWorkoutEffortScore", .discrete, nil), ("EnvironmentalSoundReduction", .discrete, "dBASPL"),
        ("AppleWalkingSteadiness", .discrete, "%"),
    ]

    /// Converts to snake case: `VO2Max` is `vo2_max`, `DietaryVitaminB12` is `dietary_vitamin_b12`, `UVExposure` is
    /// `uv_exposure`.
    private static func snakeCase(_ identifier: String) -> String {
        let letters = Array(identifier)
        var text = ""
        for (place, letter) in letters.enumerated() {
            if letter.isUppercase, place > 0 {
                let beginsWord = place + 1 < letters.count && letters[place + 1].isLowercase
                if !letters[place - 1].isUppercase || beginsWord { text += "_" }
            }
            text += letter.lowercased()
        }
        return text
    }

    private static let activity: [String: (String, SampleKind, String?)] = [
        "step_count": ("StepCount", .cumulative, "count"),
        "active_energy": ("ActiveEnergyBurned", .cumulative, nil),
        "basal_energy_burned": ("BasalEnergyBurned", .cumulative, nil),
        "apple_exercise_time": ("AppleExerciseTime", .cumulative, "min"),
        "apple_move_time": ("AppleMoveTime", .cumulative, "min"),
        "apple_stand_time": ("AppleStandTime", .cumulative, "min"),
        "walking_running_distance": ("DistanceWalkingRunning", .cumulative, nil),
        "cycling_distance": ("DistanceCycling", .cumulative, nil),
        "swimming_distance": ("DistanceSwimming", .cumulative, nil),
        "wheelchair_distance": ("DistanceWheelchair", .cumulative, nil),
        "distance_downhill_snow_sports": ("DistanceDownhillSnowSports", .cumulative, nil),
        "flights_climbed": ("FlightsClimbed", .cumulative, "count"),
        "push_count": ("PushCount", .cumulative, "count"),
        "swimming_stroke_count": ("SwimmingStrokeCount", .cumulative, "count"),
        "time_in_daylight": ("TimeInDaylight", .cumulative, "min"),
        "physical_effort": ("PhysicalEffort", .discrete, nil),
        "number_of_times_fallen": ("NumberOfTimesFallen", .cumulative, "count"),
        "inhaler_usage": ("InhalerUsage", .cumulative, "count"),
        "insulin_delivery": ("InsulinDelivery", .cumulative, "IU"),
        "uv_exposure": ("UVExposure", .discrete, "count"),
        "alcoholic_beverages": ("NumberOfAlcoholicBeverages", .cumulative, "count"),
    ]

    private static let bodyAndVitals: [String: (String, SampleKind, String?)] = [
        "heart_rate": ("HeartRate", .discrete, "count/min"),
        "resting_heart_rate": ("RestingHeartRate", .discrete, "count/min"),
        "walking_heart_rate_average": ("WalkingHeartRateAverage", .discrete, "count/min"),
        "heart_rate_variability": ("HeartRateVariabilitySDNN", .discrete, "ms"),
        "cardio_recovery": ("HeartRateRecoveryOneMinute", .discrete, "count/min"),
        "atrial_fibrillation_burden": ("AtrialFibrillationBurden", .discrete, "%"),
        "vo2_max": ("VO2Max", .discrete, "mL/min·kg"),
        "respiratory_rate": ("RespiratoryRate", .discrete, "count/min"),
        "blood_oxygen_saturation": ("OxygenSaturation", .discrete, "%"),
        "blood_glucose": ("BloodGlucose", .discrete, nil),
        "blood_alcohol_content": ("BloodAlcoholContent", .discrete, "%"),
        "body_temperature": ("BodyTemperature", .discrete, nil),
        "basal_body_temperature": ("BasalBodyTemperature", .discrete, nil),
        "apple_sleeping_wrist_temperature": ("AppleSleepingWristTemperature", .discrete, nil),
        "breathing_disturbances": ("AppleSleepingBreathingDisturbances", .discrete, "count"),
        "weight_body_mass": ("BodyMass", .state, nil),
        "lean_body_mass": ("LeanBodyMass", .state, nil),
        "body_fat_percentage": ("BodyFatPercentage", .state, "%"),
        "body_mass_index": ("BodyMassIndex", .state, "count"),
        "height": ("Height", .state, nil),
        "waist_circumference": ("WaistCircumference", .state, nil),
        "electrodermal_activity": ("ElectrodermalActivity", .discrete, nil),
        "peripheral_perfusion_index": ("PeripheralPerfusionIndex", .discrete, "%"),
        "forced_expiratory_volume_1": ("ForcedExpiratoryVolume1", .discrete, nil),
        "forced_vital_capacity": ("ForcedVitalCapacity", .discrete, nil),
        "peak_expiratory_flow_rate": ("PeakExpiratoryFlowRate", .discrete, nil),
        "environmental_audio_exposure": ("EnvironmentalAudioExposure", .discrete, "dBASPL"),
        "headphone_audio_exposure": ("HeadphoneAudioExposure", .discrete, "dBASPL"),
    ]

    private static let movement: [String: (String, SampleKind, String?)] = [
        "walking_speed": ("WalkingSpeed", .discrete, nil),
        "walking_step_length": ("WalkingStepLength", .discrete, nil),
        "walking_asymmetry_percentage": ("WalkingAsymmetryPercentage", .discrete, "%"),
        "walking_double_support_percentage": ("WalkingDoubleSupportPercentage", .discrete, "%"),
        "six_minute_walking_test_distance": ("SixMinuteWalkTestDistance", .discrete, nil),
        "stair_speed_up": ("StairAscentSpeed", .discrete, nil),
        "stair_speed_down": ("StairDescentSpeed", .discrete, nil),
        "running_speed": ("RunningSpeed", .discrete, nil),
        "running_power": ("RunningPower", .discrete, "W"),
        "running_stride_length": ("RunningStrideLength", .discrete, nil),
        "running_vertical_oscillation": ("RunningVerticalOscillation", .discrete, nil),
        "running_ground_contact_time": ("RunningGroundContactTime", .discrete, "ms"),
        "cycling_speed": ("CyclingSpeed", .discrete, nil),
        "cycling_power": ("CyclingPower", .discrete, "W"),
        "cycling_functional_threshold_power": ("CyclingFunctionalThresholdPower", .discrete, "W"),
        "cycling_cadence": ("CyclingCadence", .discrete, "count/min"),
        "underwater_depth": ("UnderwaterDepth", .discrete, nil),
        "underwater_temperature": ("WaterTemperature", .discrete, nil),
    ]

    private static let food: [String: (String, SampleKind, String?)] = {
        let names = [
            "dietary_energy": "EnergyConsumed", "dietary_water": "Water", "dietary_sugar": "Sugar",
            "carbohydrates": "Carbohydrates", "fiber": "Fiber", "protein": "Protein", "total_fat": "FatTotal",
            "saturated_fat": "FatSaturated", "monounsaturated_fat": "FatMonounsaturated",
            "polyunsaturated_fat": "FatPolyunsaturated", "cholesterol": "Cholesterol", "caffeine": "Caffeine",
            "sodium": "Sodium", "potassium": "Potassium", "calcium": "Calcium", "iron": "Iron", "zinc": "Zinc",
            "magnesium": "Magnesium", "manganese": "Manganese", "molybdenum": "Molybdenum", "phosphorus": "Phosphorus",
            "selenium": "Selenium", "iodine": "Iodine", "chloride": "Chloride", "chromium": "Chromium",
            "copper": "Copper", "biotin": "Biotin", "folate": "Folate", "niacin": "Niacin",
            "pantothenic_acid": "PantothenicAcid", "riboflavin": "Riboflavin", "thiamin": "Thiamin",
            "vitamin_a": "VitaminA", "vitamin_b6": "VitaminB6", "vitamin_b12": "VitaminB12", "vitamin_c": "VitaminC",
            "vitamin_d": "VitaminD", "vitamin_e": "VitaminE", "vitamin_k": "VitaminK",
        ]
        return names.mapValues { ("Dietary" + $0, .cumulative, nil) }
    }()
}

/// Maps the app's names of sleep states to HealthKit's numbers.
enum SleepStateName {
    private static let values = [
        "inbed": 0, "asleep": 1, "unspecified": 1, "asleepunspecified": 1, "awake": 2, "core": 3, "asleepcore": 3,
        "deep": 4, "asleepdeep": 4, "rem": 5, "asleeprem": 5,
    ]

    /// Returns the number of a state given by name (`In Bed`, `Core`, HealthKit's own) or number.
    static func value(_ stated: JSONLine.Value?) throws(RejectedRecord) -> Int {
        switch stated {
        case nil: throw RejectedRecord("sleep without a state")
        case .number(let number):
            guard let value = Int(exactly: number), (0...5).contains(value) else {
                throw RejectedRecord("an unknown sleep state")
            }
            return value
        case .name(let name):
            if let value = SampleTypeDefinition.sleepAnalysis.categoryValues[name] { return value }
            guard let value = values[name.lowercased().filter { $0.isLetter }] else {
                throw RejectedRecord("an unknown sleep state")
            }
            return value
        }
    }
}

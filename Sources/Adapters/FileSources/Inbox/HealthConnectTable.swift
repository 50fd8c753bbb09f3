import HealthSyncDomain

/// The meaning of Health Connect's record types in HealthKit's terms, for all apps that send them.
///
/// Not in the table, because HealthKit has no type with the same meaning: total calories, basal metabolic rate (a rate,
/// not an energy), power and speed (HealthKit separates running and cycling), bone and water mass, skin temperature (a
/// difference), elevation, periods. They are counted by name.
enum HealthConnectTable {
    /// Where a record contains a figure, and what it means.
    struct Figure {
        let type: SampleType
        let unit: String
        /// The paths of the figure in the spellings of the apps.
        let paths: [[String]]
        /// Whether the figure is a percentage of 100 and `unit` a fraction.
        let isHundredfold: Bool

        /// The figure is divided by this to convert it to `unit`.
        var divisor: Double { isHundredfold ? Percentage.whole : 1 }

        /// Returns the number of decimals of the figure in `unit`.
        func decimals(of node: JSONNode) -> Int? { node.decimals.map { $0 + (isHundredfold ? 2 : 0) } }

        init(_ name: String, _ unit: String, _ paths: [[String]], isHundredfold: Bool = false) {
            type = SampleType(rawValue: "HKQuantityTypeIdentifier" + name)
            self.unit = unit
            self.paths = paths
            self.isHundredfold = isHundredfold
        }
    }

    /// A kind of record.
    enum Meaning {
        /// Each figure that the record contains is a sample.
        case figures([Figure])
        /// Stages, or a session without stages.
        case sleep
        /// A category with one value, or with a state given by name or number in `field`.
        case category(SampleType, field: String?, states: [String: Int])
    }

    /// Returns the meaning of a record type in any spelling: `HeartRate`, `heart_rate`, `HEART_RATE`.
    static func meaning(of name: String) -> Meaning? {
        rows[String(name.lowercased().unicodeScalars.filter { $0 != "_" && $0 != "-" && $0 != " " })]
    }

    /// Returns the types of the samples of a record type.
    static func types(of name: String) -> Set<SampleType> {
        switch meaning(of: name) {
        case nil: []
        case .figures(let figures)?: Set(figures.map(\.type))
        case .sleep?: [SampleTypeDefinition.sleepAnalysis.type]
        case .category(let type, _, _)?: [type]
        }
    }

    private static let rows: [String: Meaning] = {
        var rows: [String: Meaning] = [:]
        for (names, meaning) in quantities + categories {
            for name in names { rows[name] = meaning }
        }
        return rows
    }()

    private static func one(
        _ type: String, _ unit: String, _ paths: [[String]], isHundredfold: Bool = false
    ) -> Meaning { .figures([Figure(type, unit, paths, isHundredfold: isHundredfold)]) }

    private static let quantities: [([String], Meaning)] = [
        (["steps", "stepcount"], one("StepCount", "count", [["count"]])),
        (["distance"], one("DistanceWalkingRunning", "m", [["meters"], ["distance", "inMeters"]])),
        (
            ["activecalories", "activecaloriesburned"],
            one("ActiveEnergyBurned", "kcal", [["calories"], ["energy", "inKilocalories"]])
        ),
        (["floors", "floorsclimbed"], one("FlightsClimbed", "count", [["floors"]])),
        (["wheelchairpushes"], one("PushCount", "count", [["count"]])),
        (["heartrate"], one("HeartRate", "count/min", [["bpm"], ["beatsPerMinute"]])),
        (["restingheartrate"], one("RestingHeartRate", "count/min", [["bpm"], ["beatsPerMinute"]])),
        (
            ["heartratevariability", "heartratevariabilityrmssd"],
            one("HeartRateVariabilityRMSSD", "ms", [["rmssd_millis"], ["heartRateVariabilityMillis"]])
        ),
        (["weight"], one("BodyMass", "kg", [["kilograms"], ["weight", "inKilograms"]])),
        (["height"], one("Height", "m", [["meters"], ["height", "inMeters"]])),
        (["bodyfat"], one("BodyFatPercentage", "%", [["percentage"]], isHundredfold: true)),
        (["leanbodymass"], one("LeanBodyMass", "kg", [["kilograms"], ["mass", "inKilograms"]])),
        (["oxygensaturation"], one("OxygenSaturation", "%", [["percentage"]], isHundredfold: true)),
        (["respiratoryrate"], one("RespiratoryRate", "count/min", [["rate"]])),
        (["bodytemperature"], one("BodyTemperature", "degC", [["celsius"], ["temperature", "inCelsius"]])),
        (["basalbodytemperature"], one("BasalBodyTemperature", "degC", [["celsius"], ["temperature", "inCelsius"]])),
        (
            ["bloodglucose"],
            one("BloodGlucose", "mmol/L", [["mmol_per_liter"], ["level", "inMillimolesPerLiter"]])
        ),
        (
            ["vo2max"],
            one(
                "VO2Max", "mL/min·kg",
                [["ml_per_kg_per_min"], ["vo2_ml_per_min_per_kg"], ["vo2MillilitersPerMinuteKilogram"]])
        ),
        (["cyclingpedalingcadence"], one("CyclingCadence", "count/min", [["revolutionsPerMinute"]])),
        (["hydration"], one("DietaryWater", "L", [["liters"], ["volume", "inLiters"]])),
        (
            ["bloodpressure"],
            .figures([
                Figure(
                    "BloodPressureSystolic", "mmHg", [["systolic"], ["systolic", "inMillimetersOfMercury"]]),
                Figure(
                    "BloodPressureDiastolic", "mmHg", [["diastolic"], ["diastolic", "inMillimetersOfMercury"]]),
            ])
        ),
        (["bloodpressuresystolic"], one("BloodPressureSystolic", "mmHg", [["systolic"]])),
        (["bloodpressurediastolic"], one("BloodPressureDiastolic", "mmHg", [["diastolic"]])),
        (["nutrition"], .figures(HealthConnectNutrients.figures)),
    ]

    private static let categories: [([String], Meaning)] = [
        (["sleep", "sleepsession"], .sleep),
        (["mindfulness", "mindfulnesssession"], .category(category("MindfulSession"), field: nil, states: [:])),
        (
            ["intermenstrualbleeding"],
            .category(category("IntermenstrualBleeding"), field: nil, states: [:])
        ),
        (["sexualactivity"], .category(category("SexualActivity"), field: nil, states: [:])),
        (
            ["menstruationflow"],
            .category(
                category("MenstrualFlow"), field: "flow",
                states: ["unknown": 1, "0": 1, "light": 2, "1": 2, "medium": 3, "2": 3, "heavy": 4, "3": 4])
        ),
        (
            ["ovulationtest"],
            .category(
                category("OvulationTestResult"), field: "result",
                states: [
                    "negative": 1, "3": 1, "positive": 2, "1": 2, "inconclusive": 3, "unknown": 3, "0": 3, "high": 4,
                    "2": 4,
                ])
        ),
        (
            ["cervicalmucus"],
            .category(
                category("CervicalMucusQuality"), field: "appearance",
                states: [
                    "dry": 1, "1": 1, "sticky": 2, "2": 2, "creamy": 3, "3": 3, "watery": 4, "4": 4, "egg_white": 5,
                    "5": 5,
                ])
        ),
    ]

    private static func category(_ name: String) -> SampleType {
        SampleType(rawValue: "HKCategoryTypeIdentifier" + name)
    }
}

/// The nutrients of a meal. HC Webhook has a few, in grams; the companion app names all with their unit; Health Connect
/// itself has objects.
private enum HealthConnectNutrients {
    static let figures: [HealthConnectTable.Figure] =
        [
            HealthConnectTable.Figure(
                "DietaryEnergyConsumed", "kcal", [["calories"], ["energy", "inKilocalories"]])
        ] + grams.map { figure($0, "g", $1, $2, $3) } + milligrams.map { figure($0, "mg", [], $1, $2) }
        + micrograms.map { figure($0, "mcg", [], $1, $2) }

    /// HealthKit's name, members of the webhooks, the companion app's stem, Health Connect's name.
    private static let grams: [(String, [String], String, String)] = [
        ("DietaryProtein", ["protein_grams"], "protein", "protein"),
        ("DietaryCarbohydrates", ["carbs_grams"], "carbs", "totalCarbohydrate"),
        ("DietaryFatTotal", ["fat_grams"], "fat", "totalFat"),
        ("DietarySugar", ["sugar_grams"], "sugars", "sugar"),
        ("DietaryFiber", ["dietary_fiber_grams"], "dietary_fibre", "dietaryFiber"),
        ("DietaryFatSaturated", [], "saturated_fat", "saturatedFat"),
        ("DietaryFatPolyunsaturated", [], "polyunsaturated_fat", "polyunsaturatedFat"),
        ("DietaryFatMonounsaturated", [], "monounsaturated_fat", "monounsaturatedFat"),
    ]

    private static let milligrams: [(String, String, String)] = [
        ("DietaryCholesterol", "cholesterol", "cholesterol"), ("DietarySodium", "sodium", "sodium"),
        ("DietaryPotassium", "potassium", "potassium"), ("DietaryCalcium", "calcium", "calcium"),
        ("DietaryIron", "iron", "iron"), ("DietaryMagnesium", "magnesium", "magnesium"),
        ("DietaryZinc", "zinc", "zinc"), ("DietaryVitaminC", "vitamin_c", "vitaminC"),
        ("DietaryVitaminE", "vitamin_e", "vitaminE"), ("DietaryVitaminB6", "vitamin_b6", "vitaminB6"),
        ("DietaryCaffeine", "caffeine", "caffeine"), ("DietaryPhosphorus", "phosphorus", "phosphorus"),
        ("DietaryNiacin", "niacin", "niacin"), ("DietaryRiboflavin", "riboflavin", "riboflavin"),
        ("DietaryThiamin", "thiamin", "thiamin"), ("DietaryCopper", "copper", "copper"),
        ("DietaryManganese", "manganese", "manganese"), ("DietaryChloride", "chloride", "chloride"),
        ("DietaryPantothenicAcid", "pantothenic_acid", "pantothenicAcid"),
    ]

    private static let micrograms: [(String, String, String)] = [
        ("DietaryVitaminA", "vitamin_a", "vitaminA"), ("DietaryVitaminD", "vitamin_d", "vitaminD"),
        ("DietaryVitaminB12", "vitamin_b12", "vitaminB12"), ("DietaryVitaminK", "vitamin_k", "vitaminK"),
        ("DietaryFolate", "folate", "folate"), ("DietaryBiotin", "biotin", "biotin"),
        ("DietaryIodine", "iodine", "iodine"), ("DietarySelenium", "selenium", "selenium"),
        ("DietaryChromium", "chromium", "chromium"), ("DietaryMolybdenum", "molybdenum", "molybdenum"),
    ]

    private static func figure(
        _ type: String, _ unit: String, _ members: [String], _ stem: String, _ name: String
    ) -> HealthConnectTable.Figure {
        let suffix = unit == "g" ? "g" : unit
        let path = ["g": "inGrams", "mg": "inMilligrams", "mcg": "inMicrograms"][unit] ?? "inGrams"
        return HealthConnectTable.Figure(
            type, unit, members.map { [$0] } + [["\(stem)_\(suffix)"], [name, path]])
    }
}

/// The nutrients of a meal. HC Webhook has a few, in grams; the companion app names all with their unit; Health Connect
/// itself has objects.
enum HealthConnectNutrients {
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

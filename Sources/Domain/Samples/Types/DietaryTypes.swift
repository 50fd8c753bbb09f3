extension SampleTypeTable {
    /// Nutrition.
    static var dietaryRows: [SampleTypeDefinition] {
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
}

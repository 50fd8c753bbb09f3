extension SampleTypeTable {
    /// Vital signs, measures of the body, results and surroundings.
    static let bodyRows: [SampleTypeDefinition] = [
        .heartRate, .restingHeartRate,
        .quantity("WalkingHeartRateAverage", .discrete, "count/min", UnitFactors.frequency),
        .quantity("HeartRateVariabilitySDNN", .discrete, "ms", UnitFactors.shortTime),
        .quantity("HeartRateRecoveryOneMinute", .discrete, "count/min", UnitFactors.frequency),
        .quantity("AtrialFibrillationBurden", .discrete, "%"),
        .quantity("OxygenSaturation", .discrete, "%"),
        .quantity("RespiratoryRate", .discrete, "count/min", UnitFactors.frequency),
        .quantity("BloodPressureSystolic", .discrete, "mmHg", UnitFactors.pressure),
        .quantity("BloodPressureDiastolic", .discrete, "mmHg", UnitFactors.pressure),
        .quantity("PeripheralPerfusionIndex", .discrete, "%"),
        .quantity("ElectrodermalActivity", .discrete, "mcS"),
        .quantity("AppleSleepingBreathingDisturbances", .discrete, "count"),
        .quantity("Height", .state, "cm", UnitFactors.length),
        .quantity("BodyMass", .state, "kg", UnitFactors.bodyMass),
        .quantity("BodyMassIndex", .state, "count"),
        .quantity("BodyFatPercentage", .state, "%"),
        .quantity("LeanBodyMass", .state, "kg", UnitFactors.bodyMass),
        .quantity("WaistCircumference", .state, "cm", UnitFactors.length),
        .quantity("BloodGlucose", .discrete, "mg/dL", UnitFactors.glucose),
        .quantity("BloodAlcoholContent", .discrete, "%"),
        .quantity("ForcedExpiratoryVolume1", .discrete, "L"),
        .quantity("ForcedVitalCapacity", .discrete, "L"),
        .quantity("PeakExpiratoryFlowRate", .discrete, "L/min"),
        .quantity("InhalerUsage", .cumulative, "count"),
        .quantity("InsulinDelivery", .cumulative, "IU"),
        .quantity("NumberOfTimesFallen", .cumulative, "count"),
        .quantity("NumberOfAlcoholicBeverages", .cumulative, "count"),
        .quantity("EnvironmentalAudioExposure", .discrete, "dBASPL"),
        .quantity("HeadphoneAudioExposure", .discrete, "dBASPL"),
        .quantity("EnvironmentalSoundReduction", .discrete, "dBASPL"),
        .quantity("UVExposure", .discrete, "count"),
        .quantity("TimeInDaylight", .cumulative, "min", UnitFactors.time),
        .quantity("UnderwaterDepth", .discrete, "m", UnitFactors.depth),
        temperature("BodyTemperature"),
        temperature("BasalBodyTemperature"),
        temperature("AppleSleepingWristTemperature"),
        temperature("WaterTemperature"),
    ]

    private static func temperature(_ name: String) -> SampleTypeDefinition {
        SampleTypeDefinition(
            SampleType(rawValue: "HKQuantityTypeIdentifier" + name), .discrete, unit: "degC",
            factors: UnitFactors.temperature, offsets: UnitFactors.temperatureOffsets)
    }
}

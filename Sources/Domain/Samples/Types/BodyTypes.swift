extension SampleTypeTable {
    /// Vital signs, body measurements, test results and environment.
    static let bodyRows: [SampleTypeDefinition] = [
        .heartRate, .restingHeartRate,
        .quantity("WalkingHeartRateAverage", .discrete, .arithmetic, "count/min", UnitFactors.frequency),
        .quantity("HeartRateVariabilitySDNN", .discrete, .arithmetic, "ms", UnitFactors.shortTime),
        .quantity("HeartRateRecoveryOneMinute", .discrete, .arithmetic, "count/min", UnitFactors.frequency),
        .quantity("AtrialFibrillationBurden", .discrete, .temporallyWeighted, "%"),
        .quantity("OxygenSaturation", .discrete, .arithmetic, "%"),
        .quantity("RespiratoryRate", .discrete, .arithmetic, "count/min", UnitFactors.frequency),
        .quantity("BloodPressureSystolic", .discrete, .arithmetic, "mmHg", UnitFactors.pressure),
        .quantity("BloodPressureDiastolic", .discrete, .arithmetic, "mmHg", UnitFactors.pressure),
        .quantity("PeripheralPerfusionIndex", .discrete, .arithmetic, "%"),
        .quantity("ElectrodermalActivity", .discrete, .arithmetic, "mcS"),
        .quantity("AppleSleepingBreathingDisturbances", .discrete, .arithmetic, "count"),
        .quantity("Height", .state, "cm", UnitFactors.length),
        .quantity("BodyMass", .state, "kg", UnitFactors.bodyMass),
        .quantity("BodyMassIndex", .state, "count"),
        .quantity("BodyFatPercentage", .state, "%"),
        .quantity("LeanBodyMass", .state, "kg", UnitFactors.bodyMass),
        .quantity("WaistCircumference", .state, "cm", UnitFactors.length),
        .quantity("BloodGlucose", .discrete, .arithmetic, "mg/dL", UnitFactors.glucose),
        .quantity("BloodAlcoholContent", .discrete, .arithmetic, "%"),
        .quantity("ForcedExpiratoryVolume1", .discrete, .arithmetic, "L"),
        .quantity("ForcedVitalCapacity", .discrete, .arithmetic, "L"),
        .quantity("PeakExpiratoryFlowRate", .discrete, .arithmetic, "L/min"),
        .quantity("InhalerUsage", .cumulative, "count"),
        .quantity("InsulinDelivery", .cumulative, "IU"),
        .quantity("NumberOfTimesFallen", .cumulative, "count"),
        .quantity("NumberOfAlcoholicBeverages", .cumulative, "count"),
        .quantity("EnvironmentalAudioExposure", .discrete, .equivalentContinuousLevel, "dBASPL"),
        .quantity("HeadphoneAudioExposure", .discrete, .equivalentContinuousLevel, "dBASPL"),
        .quantity("EnvironmentalSoundReduction", .discrete, .equivalentContinuousLevel, "dBASPL"),
        .quantity("UVExposure", .discrete, .arithmetic, "count"),
        .quantity("TimeInDaylight", .cumulative, "min", UnitFactors.time),
        .quantity("UnderwaterDepth", .discrete, .arithmetic, "m", UnitFactors.depth),
        temperature("BodyTemperature"),
        temperature("BasalBodyTemperature"),
        temperature("AppleSleepingWristTemperature"),
        temperature("WaterTemperature"),
    ]

    private static func temperature(_ name: String) -> SampleTypeDefinition {
        SampleTypeDefinition(
            SampleType(rawValue: "HKQuantityTypeIdentifier" + name), .discrete, averaging: .arithmetic, unit: "degC",
            factors: UnitFactors.temperature, offsets: UnitFactors.temperatureOffsets)
    }
}

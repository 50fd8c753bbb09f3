extension SampleTypeTable {
    /// Vital signs, body measurements, test results and environment.
    static let bodyRows: [SampleTypeDefinition] = [
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
}

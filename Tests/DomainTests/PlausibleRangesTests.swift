import HealthSyncDomain
import Testing

/// The bounds of plausible values, in the unit of each type. A value outside changes figures of no user.
struct PlausibleRangesTests {
    /// More than nothing.
    private static let some = Double.leastNormalMagnitude

    private static let bounds: [(ClosedRange<Double>, [String])] = [
        (some...150.0, ["VO2Max"]),
        (
            0.0...10_000.0,
            [
                "PhysicalEffort", "EstimatedWorkoutEffortScore", "WorkoutEffortScore",
                "AppleSleepingBreathingDisturbances", "UVExposure",
            ]
        ),
        (
            0.0...150.0,
            [
                "RunningSpeed", "CyclingSpeed", "CrossCountrySkiingSpeed", "PaddleSportsSpeed", "RowingSpeed",
                "WalkingSpeed", "StairAscentSpeed", "StairDescentSpeed",
            ]
        ),
        (0.0...10_000.0, ["RunningPower", "CyclingPower", "CyclingFunctionalThresholdPower"]),
        (0.0...1_000.0, ["RunningStrideLength", "RunningVerticalOscillation", "WalkingStepLength"]),
        (0.0...10_000.0, ["RunningGroundContactTime", "HeartRateVariabilitySDNN", "HeartRateVariabilityRMSSD"]),
        (0.0...1_000.0, ["CyclingCadence"]),
        (
            0.0...1.0,
            [
                "WalkingAsymmetryPercentage", "WalkingDoubleSupportPercentage", "AppleWalkingSteadiness",
                "AtrialFibrillationBurden", "PeripheralPerfusionIndex", "BloodAlcoholContent",
            ]
        ),
        (0.0...10_000.0, ["SixMinuteWalkTestDistance"]),
        (20.0...300.0, ["WalkingHeartRateAverage", "HeartRate", "RestingHeartRate"]),
        (-300.0...300.0, ["HeartRateRecoveryOneMinute"]),
        (some...1.0, ["OxygenSaturation", "BodyFatPercentage"]),
        (some...200.0, ["RespiratoryRate"]),
        (some...500.0, ["BloodPressureSystolic", "BloodPressureDiastolic"]),
        (0.0...1_000_000.0, ["ElectrodermalActivity"]),
        (some...300.0, ["Height"]),
        (some...1_000.0, ["BodyMass", "LeanBodyMass"]),
        (some...500.0, ["BodyMassIndex"]),
        (some...500.0, ["WaistCircumference"]),
        (some...5_000.0, ["BloodGlucose"]),
        (0.0...30.0, ["ForcedExpiratoryVolume1", "ForcedVitalCapacity"]),
        (0.0...3_000.0, ["PeakExpiratoryFlowRate"]),
        (0.0...250.0, ["EnvironmentalAudioExposure", "HeadphoneAudioExposure", "EnvironmentalSoundReduction"]),
        (0.0...11_000.0, ["UnderwaterDepth"]),
        (10.0...50.0, ["BodyTemperature", "BasalBodyTemperature"]),
        (0.0...50.0, ["AppleSleepingWristTemperature"]),
        (-10.0...100.0, ["WaterTemperature"]),
    ]

    @Test func everyTypeHasItsBounds() {
        let table = SampleTypeTable.builtIn()
        var expected: [String: ClosedRange<Double>] = [:]
        for (range, names) in Self.bounds {
            for name in names { expected["HKQuantityTypeIdentifier\(name)"] = range }
        }
        var found: [String: ClosedRange<Double>] = [:]
        for row in table.rows { found[row.type.rawValue] = row.plausibleValues }
        #expect(found == expected)
    }
}

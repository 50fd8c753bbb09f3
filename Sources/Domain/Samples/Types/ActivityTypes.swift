extension SampleTypeTable {
    /// Activity, exercise and gait.
    static let activityRows: [SampleTypeDefinition] = [
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
}

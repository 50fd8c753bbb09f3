import HealthSyncDomain
import HealthSyncMetrics
import HealthSyncPorts
import Testing

struct BuiltInHandlersTests {
    @Test("Every built-in metric has one handler")
    func metrics() {
        let metrics = BuiltInHandlers.all().map(\.metric)
        #expect(
            metrics == [
                .steps, .heartRate, .sleep, .activeEnergy, .exerciseMinutes, .walkingDistance, .restingHeartRate,
            ])
    }

    /// Versions and reaches are part of the stored tracking state: another value derives all days of a metric again.
    @Test(
        "Versions and reaches are those of the stored tracking state",
        arguments: [
            ("steps", 4, SampleReach.days), ("heartRate", 2, .holding(minutes: 10)),
            ("sleep", 5_180_060, .nights(gapMinutes: 180)), ("activeEnergy", 4, .days), ("exerciseMinutes", 4, .days),
            ("walkingDistance", 4, .days), ("restingHeartRate", 3, .days), ("flightsClimbed", 4, .days),
            ("bloodGlucose", 3, .days), ("bodyMass", 4, .days), ("respiratoryRate", 3, .days),
            ("dietaryWater", 5, .days),
        ])
    func versions(name: String, version: Int, reach: SampleReach) throws {
        let builtIn = BuiltInHandlers.all().first { $0.metric.rawValue == name }
        let further = SampleTypeTable.builtIn().definition(named: name).flatMap {
            BuiltInHandlers.handler(ofFurther: $0)
        }
        let handler = try #require(builtIn ?? further)
        #expect(handler.metric.rawValue == name)
        #expect(handler.version == version)
        #expect(handler.reach == reach)
    }

    @Test("The configured limits are part of what is tracked")
    func limits() throws {
        let handlers = BuiltInHandlers.all(sleepGapMinutes: 30, sleepNightGapMinutes: 20, heartRateHoldMinutes: 5)
        let sleep = try #require(handlers.first { $0.metric == .sleep })
        #expect(sleep.version == 5_020_030)
        #expect(sleep.reach == .nights(gapMinutes: 30))
        let heartRate = try #require(handlers.first { $0.metric == .heartRate })
        #expect(heartRate.version == 2)
        #expect(heartRate.reach == .holding(minutes: 5))
    }

    @Test("A discrete type that HealthKit averages over time is averaged over time")
    func timeWeighted() throws {
        let type = SampleTypeDefinition(
            SampleType(rawValue: "HKQuantityTypeIdentifierFlowOfTime"), .discrete, averaging: .temporallyWeighted,
            unit: "min")
        let handler = try #require(BuiltInHandlers.handler(ofFurther: type, holdMinutes: 7))
        #expect(handler.version == 2)
        #expect(handler.reach == .holding(minutes: 7))
    }

    @Test("Each result has a title, a unit and a kind")
    func results() {
        let results = BuiltInHandlers.all().flatMap(\.results)
        #expect(
            results == [
                MetricDefinition(.steps, title: "Steps", unit: "count", kind: .sum),
                MetricDefinition(.heartRate, title: "Heart rate", unit: "count/min", kind: .mean),
                MetricDefinition(.sleep, title: "Sleep", unit: "", kind: .sessions),
                MetricDefinition(.activeEnergy, title: "Active energy", unit: "kcal", kind: .sum),
                MetricDefinition(.exerciseMinutes, title: "Exercise minutes", unit: "min", kind: .sum),
                MetricDefinition(.walkingDistance, title: "Walking distance", unit: "km", kind: .sum),
                MetricDefinition(.restingHeartRate, title: "Resting heart rate", unit: "count/min", kind: .mean),
            ])
    }

    @Test("A further metric has the name of its type; a category has none")
    func furtherMetrics() {
        #expect(BuiltInHandlers.handler(ofFurther: .heartRate)?.metric.rawValue == "heartRate")
        #expect(BuiltInHandlers.handler(ofFurther: .sleepAnalysis) == nil)
    }
}

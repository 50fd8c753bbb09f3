import HealthSyncDomain
import HealthSyncMetrics
import HealthSyncPorts
import Testing

struct BuiltInHandlersTests {
    @Test func everyMetricHasOneHandler() {
        let metrics = BuiltInHandlers.all.map(\.metric)
        #expect(Set(metrics).count == metrics.count)
        let expected: Set<HealthMetric> = [
            .steps, .heartRate, .sleep, .activeEnergy, .exerciseMinutes, .walkingDistance, .restingHeartRate,
        ]
        #expect(Set(metrics) == expected)
    }

    @Test func aQuantityIsNamedAsItsType() {
        #expect(QuantityMetricHandler(.heartRate)?.metric.rawValue == "heartRate")
        #expect(QuantityMetricHandler(.sleepAnalysis) == nil)
    }
}

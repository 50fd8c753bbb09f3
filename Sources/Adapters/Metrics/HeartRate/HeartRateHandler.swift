import HealthSyncDomain
import HealthSyncPorts

/// Heart rate by hour and day: minimum, mean, maximum, count. Values outside 20–300 per minute are refused and counted.
struct HeartRateHandler: DerivingHandler {
    /// `heartRate`.
    var metric: HealthMetric { .heartRate }

    /// `HKQuantityTypeIdentifierHeartRate`.
    var reads: [SampleTypeDefinition] { [.heartRate] }

    func sync(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await DiscreteDerivation(metric, of: .heartRate) { summary in
            summary.validRange = 20...300
        }.sync(in: context)
    }
}

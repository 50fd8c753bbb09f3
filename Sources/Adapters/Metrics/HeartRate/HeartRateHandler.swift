package import HealthSyncDomain
package import HealthSyncPorts

/// Heart rate by hour and day: minimum, mean, maximum, count. Values outside 20–300 per minute are refused and counted.
package struct HeartRateHandler: HealthMetricSyncHandler {
    /// The handler.
    package init() {}

    /// `heartRate`.
    package var metric: HealthMetric { .heartRate }

    /// `HKQuantityTypeIdentifierHeartRate`.
    package var reads: [SampleTypeDefinition] { [.heartRate] }

    /// Brings today and the days that may still change up to date.
    package func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await derivation.sync(in: context)
    }

    /// Brings any stretch of the past up to date.
    package func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await derivation.sync(in: context)
    }

    private var derivation: DiscreteDerivation {
        DiscreteDerivation(metric, of: .heartRate) { summary in
            summary.validRange = 20...300
        }
    }
}

public import HealthSyncDomain
public import HealthSyncPorts

/// Heart rate by hour and day: minimum, mean, maximum, count. Values outside 20–300 per minute are refused and counted.
public struct HeartRateHandler: HealthMetricSyncHandler {
    /// The handler.
    public init() {}

    /// `heartRate`.
    public var metric: HealthMetric { .heartRate }

    /// `HKQuantityTypeIdentifierHeartRate`.
    public var reads: [SampleTypeDefinition] { [.heartRate] }

    /// Brings today and the days that may still change up to date.
    public func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await derivation.sync(in: context)
    }

    /// Brings any stretch of the past up to date.
    public func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await derivation.sync(in: context)
    }

    private var derivation: DiscreteDerivation {
        DiscreteDerivation(metric, of: .heartRate) { summary in
            summary.validRange = 20...300
        }
    }
}

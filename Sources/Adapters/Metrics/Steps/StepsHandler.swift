public import HealthSyncDomain
public import HealthSyncPorts

/// Steps by hour and day, merged over the devices that counted them (`StepMerge`).
public struct StepsHandler: HealthMetricSyncHandler {
    /// The handler.
    public init() {}

    /// `steps`.
    public var metric: HealthMetric { .steps }

    /// `HKQuantityTypeIdentifierStepCount`.
    public var reads: [SampleTypeDefinition] { [.stepCount] }

    /// Brings today and the days that may still change up to date.
    public func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .stepCount).sync(in: context)
    }

    /// Brings any stretch of the past up to date.
    public func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .stepCount).sync(in: context)
    }
}

public import HealthSyncDomain
public import HealthSyncPorts

/// Kilometres walked and run by hour and day, merged over devices (`StepMerge`).
public struct WalkingDistanceHandler: HealthMetricSyncHandler {
    /// The handler.
    public init() {}

    /// `walkingDistance`.
    public var metric: HealthMetric { .walkingDistance }

    /// `HKQuantityTypeIdentifierDistanceWalkingRunning`.
    public var reads: [SampleTypeDefinition] { [.walkingRunningDistance] }

    /// Brings today and the days that may still change up to date.
    public func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .walkingRunningDistance).sync(in: context)
    }

    /// Brings any stretch of the past up to date.
    public func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .walkingRunningDistance).sync(in: context)
    }
}

package import HealthSyncDomain
package import HealthSyncPorts

/// Kilometres walked and run by hour and day, merged over devices (`StepMerge`).
package struct WalkingDistanceHandler: HealthMetricSyncHandler {
    /// The handler.
    package init() {}

    /// `walkingDistance`.
    package var metric: HealthMetric { .walkingDistance }

    /// `HKQuantityTypeIdentifierDistanceWalkingRunning`.
    package var reads: [SampleTypeDefinition] { [.walkingRunningDistance] }

    /// Brings today and the days that may still change up to date.
    package func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .walkingRunningDistance).sync(in: context)
    }

    /// Brings any stretch of the past up to date.
    package func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .walkingRunningDistance).sync(in: context)
    }
}

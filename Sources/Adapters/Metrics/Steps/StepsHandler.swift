package import HealthSyncDomain
package import HealthSyncPorts

/// Steps by hour and day, merged over the devices that counted them (`StepMerge`).
package struct StepsHandler: HealthMetricSyncHandler {
    /// The handler.
    package init() {}

    /// `steps`.
    package var metric: HealthMetric { .steps }

    /// `HKQuantityTypeIdentifierStepCount`.
    package var reads: [SampleTypeDefinition] { [.stepCount] }

    /// Brings today and the days that may still change up to date.
    package func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .stepCount).sync(in: context)
    }

    /// Brings any stretch of the past up to date.
    package func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .stepCount).sync(in: context)
    }
}

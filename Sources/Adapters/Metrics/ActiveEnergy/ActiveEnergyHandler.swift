package import HealthSyncDomain
package import HealthSyncPorts

/// Active energy by hour and day in kilocalories, merged over devices (`StepMerge`).
package struct ActiveEnergyHandler: HealthMetricSyncHandler {
    /// The handler.
    package init() {}

    /// `activeEnergy`.
    package var metric: HealthMetric { .activeEnergy }

    /// `HKQuantityTypeIdentifierActiveEnergyBurned`.
    package var reads: [SampleTypeDefinition] { [.activeEnergyBurned] }

    /// Brings today and the days that may still change up to date.
    package func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .activeEnergyBurned).sync(in: context)
    }

    /// Brings any stretch of the past up to date.
    package func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .activeEnergyBurned).sync(in: context)
    }
}

public import HealthSyncDomain
public import HealthSyncPorts

/// Active energy by hour and day in kilocalories, merged over devices (`StepMerge`).
public struct ActiveEnergyHandler: HealthMetricSyncHandler {
    /// The handler.
    public init() {}

    /// `activeEnergy`.
    public var metric: HealthMetric { .activeEnergy }

    /// `HKQuantityTypeIdentifierActiveEnergyBurned`.
    public var reads: [SampleTypeDefinition] { [.activeEnergyBurned] }

    /// Brings today and the days that may still change up to date.
    public func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .activeEnergyBurned).sync(in: context)
    }

    /// Brings any stretch of the past up to date.
    public func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .activeEnergyBurned).sync(in: context)
    }
}

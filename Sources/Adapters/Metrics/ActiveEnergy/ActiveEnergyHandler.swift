import HealthSyncDomain
import HealthSyncPorts

/// Active energy by hour and day in kilocalories, merged over devices (`StepMerge`).
struct ActiveEnergyHandler: DerivingHandler {
    /// `activeEnergy`.
    var metric: HealthMetric { .activeEnergy }

    /// `HKQuantityTypeIdentifierActiveEnergyBurned`.
    var reads: [SampleTypeDefinition] { [.activeEnergyBurned] }

    func sync(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .activeEnergyBurned).sync(in: context)
    }
}

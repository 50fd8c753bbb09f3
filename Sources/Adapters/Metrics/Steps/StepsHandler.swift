import HealthSyncDomain
import HealthSyncPorts

/// Steps by hour and day, merged over the devices that counted them (`StepMerge`).
struct StepsHandler: DerivingHandler {
    /// `steps`.
    var metric: HealthMetric { .steps }

    /// `HKQuantityTypeIdentifierStepCount`.
    var reads: [SampleTypeDefinition] { [.stepCount] }

    func sync(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .stepCount).sync(in: context)
    }
}

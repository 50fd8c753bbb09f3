import HealthSyncDomain
import HealthSyncPorts

/// Kilometres walked and run by hour and day, merged over devices (`StepMerge`).
struct WalkingDistanceHandler: DerivingHandler {
    /// `walkingDistance`.
    var metric: HealthMetric { .walkingDistance }

    /// `HKQuantityTypeIdentifierDistanceWalkingRunning`.
    var reads: [SampleTypeDefinition] { [.walkingRunningDistance] }

    func sync(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .walkingRunningDistance).sync(in: context)
    }
}

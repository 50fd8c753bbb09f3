import HealthSyncDomain
import HealthSyncPorts

/// Minutes of exercise by hour and day, merged over devices (`StepMerge`).
struct ExerciseMinutesHandler: DerivingHandler {
    /// `exerciseMinutes`.
    var metric: HealthMetric { .exerciseMinutes }

    /// `HKQuantityTypeIdentifierAppleExerciseTime`.
    var reads: [SampleTypeDefinition] { [.exerciseTime] }

    func sync(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .exerciseTime).sync(in: context)
    }
}

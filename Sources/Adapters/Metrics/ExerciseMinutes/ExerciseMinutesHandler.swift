package import HealthSyncDomain
package import HealthSyncPorts

/// Minutes of exercise by hour and day, merged over devices (`StepMerge`).
package struct ExerciseMinutesHandler: HealthMetricSyncHandler {
    /// The handler.
    package init() {}

    /// `exerciseMinutes`.
    package var metric: HealthMetric { .exerciseMinutes }

    /// `HKQuantityTypeIdentifierAppleExerciseTime`.
    package var reads: [SampleTypeDefinition] { [.exerciseTime] }

    /// Brings today and the days that may still change up to date.
    package func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .exerciseTime).sync(in: context)
    }

    /// Brings any stretch of the past up to date.
    package func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .exerciseTime).sync(in: context)
    }
}

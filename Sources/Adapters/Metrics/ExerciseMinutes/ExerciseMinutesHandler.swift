public import HealthSyncDomain
public import HealthSyncPorts

/// Minutes of exercise by hour and day, merged over devices (`StepMerge`).
public struct ExerciseMinutesHandler: HealthMetricSyncHandler {
    /// The handler.
    public init() {}

    /// `exerciseMinutes`.
    public var metric: HealthMetric { .exerciseMinutes }

    /// `HKQuantityTypeIdentifierAppleExerciseTime`.
    public var reads: [SampleTypeDefinition] { [.exerciseTime] }

    /// Brings today and the days that may still change up to date.
    public func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .exerciseTime).sync(in: context)
    }

    /// Brings any stretch of the past up to date.
    public func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await SumDerivation(metric, of: .exerciseTime).sync(in: context)
    }
}

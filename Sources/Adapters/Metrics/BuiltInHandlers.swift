public import HealthSyncPorts

/// The handlers that come with the program. A new metric is a folder beside this file and a line in it.
public enum BuiltInHandlers {
    /// The built-in metrics, in the order in which help and reports name them.
    public static let all: [any HealthMetricSyncHandler] = [
        StepsHandler(),
        HeartRateHandler(),
        SleepHandler(),
        ActiveEnergyHandler(),
        ExerciseMinutesHandler(),
        WalkingDistanceHandler(),
        RestingHeartRateHandler(),
    ]
}

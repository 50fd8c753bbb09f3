package import HealthSyncPorts

/// The handlers that come with the program. A new metric is a folder beside this file and a line in it.
package enum BuiltInHandlers {
    /// The built-in metrics, in the order in which help and reports name them.
    package static let all: [any HealthMetricSyncHandler] = [
        StepsHandler(),
        HeartRateHandler(),
        SleepHandler(),
        ActiveEnergyHandler(),
        ExerciseMinutesHandler(),
        WalkingDistanceHandler(),
        RestingHeartRateHandler(),
    ]
}

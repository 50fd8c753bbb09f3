import HealthSyncDomain
import HealthSyncPorts

/// Resting heart rate by day, from the device's own resting samples: the mean of those of the origin of highest priority
/// that has any that day. It has no hours, because a device states it for a day.
struct RestingHeartRateHandler: DerivingHandler {
    /// `restingHeartRate`.
    var metric: HealthMetric { .restingHeartRate }

    /// `HKQuantityTypeIdentifierRestingHeartRate`.
    var reads: [SampleTypeDefinition] { [.restingHeartRate] }

    func sync(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await DiscreteDerivation(metric, of: .restingHeartRate, version: 3) { summary in
            summary.validRange = 20...300
            summary.choice = .bestOrigin
            summary.isHourly = false
        }.sync(in: context)
    }
}

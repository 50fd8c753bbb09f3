package import HealthSyncDomain
package import HealthSyncPorts

/// Resting heart rate by day, from the device's own resting samples: the mean of those of the origin of highest priority
/// that has any that day. It has no hours, because a device states it for a day.
package struct RestingHeartRateHandler: HealthMetricSyncHandler {
    /// The handler.
    package init() {}

    /// `restingHeartRate`.
    package var metric: HealthMetric { .restingHeartRate }

    /// `HKQuantityTypeIdentifierRestingHeartRate`.
    package var reads: [SampleTypeDefinition] { [.restingHeartRate] }

    /// Brings today and the days that may still change up to date.
    package func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await derivation.sync(in: context)
    }

    /// Brings any stretch of the past up to date.
    package func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await derivation.sync(in: context)
    }

    private var derivation: DiscreteDerivation {
        DiscreteDerivation(metric, of: .restingHeartRate) { summary in
            summary.validRange = 20...300
            summary.choice = .bestOrigin
            summary.isHourly = false
        }
    }
}

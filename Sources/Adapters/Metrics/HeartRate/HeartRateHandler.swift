package import HealthSyncDomain
package import HealthSyncPorts

/// Heart rate by hour and day: minimum, mean over time, maximum, count. Values outside 20–300 per minute are rejected and
/// counted.
package struct HeartRateHandler: DerivingHandler {
    private let holdMinutes: Int

    /// The handler; a measurement holds for at most `holdMinutes`.
    package init(holdMinutes: Int = DiscreteSummary.standardHoldMinutes) { self.holdMinutes = holdMinutes }

    /// `heartRate`.
    package var metric: HealthMetric { .heartRate }

    /// `HKQuantityTypeIdentifierHeartRate`.
    package var reads: [SampleTypeDefinition] { [.heartRate] }

    package func sync(in context: any MetricSyncContext) async throws -> SyncOutcome {
        // In version 1 the mean was that of the measurements.
        try await DiscreteDerivation(
            metric, of: .heartRate, version: 2, quantity: .timeWeightedMean(holdMinutes: holdMinutes)
        ) { summary in
            summary.validRange = 20...300
        }.sync(in: context)
    }
}

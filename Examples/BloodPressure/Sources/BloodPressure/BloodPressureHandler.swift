import HealthSyncDomain
import HealthSyncPorts

/// Blood pressure by hour and day: minimum, mean, maximum and count of both pressures.
///
/// HealthKit keeps a reading as two samples of two types. Only complete readings count: a systolic and a diastolic sample
/// of one origin with one start, the systolic one above the other.
public struct BloodPressureHandler: HealthMetricSyncHandler {
    /// The handler.
    public init() {}

    /// `bloodPressure`; the results are `bloodPressureSystolic` and `bloodPressureDiastolic`.
    public var metric: HealthMetric { .bloodPressure }

    /// Both pressures.
    public var reads: [SampleTypeDefinition] { [.bloodPressureSystolic, .bloodPressureDiastolic] }

    /// Brings today and the days that may still change up to date.
    public func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome { try await sync(context) }

    /// Brings any stretch of the past up to date.
    public func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await sync(context)
    }

    private func sync(_ context: any MetricSyncContext) async throws -> SyncOutcome {
        try await context.deriveChangedDays(of: metric, version: 1, reading: reads.map(\.type), reach: .days) {
            days, window in
            let readings = PairedReadings(
                systolic: window[SampleTypeDefinition.bloodPressureSystolic.type],
                diastolic: window[SampleTypeDefinition.bloodPressureDiastolic.type]
            ) { start, zone in days.contains(context.clock(forZone: zone).day(of: start)) }
            let summed = { (metric: HealthMetric, samples: [OriginSamples]) in
                DiscreteSummary(
                    metric: metric, unit: "mmHg", days: days, priority: context.originPriority,
                    clock: context.clock(forZone:)
                ).days(of: samples).progress
            }
            return DerivedDays(
                progress: summed(.bloodPressureSystolic, readings.systolic)
                    + summed(.bloodPressureDiastolic, readings.diastolic), refused: readings.refused)
        }
    }
}

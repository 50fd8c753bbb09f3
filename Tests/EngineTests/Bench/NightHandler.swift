import HealthSyncDomain
import HealthSyncPorts

/// Sleep sessions by the rule of the domain.
struct NightHandler: HealthMetricSyncHandler {
    var metric: HealthMetric { .sleep }
    var reads: [SampleTypeDefinition] { [.sleepAnalysis] }

    func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome { try await sync(context) }
    func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome { try await sync(context) }

    private func sync(_ context: any MetricSyncContext) async throws -> SyncOutcome {
        try await context.deriveChangedDays(
            of: metric, version: 1, reading: reads.map(\.type), reach: .nights(gapMinutes: 60)
        ) { days, window in
            SleepSessionBuilder(days: days, priority: context.originPriority, clock: context.clock(forZone:))
                .sessions(of: window[SampleTypeDefinition.sleepAnalysis.type])
        }
    }
}

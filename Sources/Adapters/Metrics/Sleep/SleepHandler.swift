public import HealthSyncDomain
public import HealthSyncPorts

/// Sleep sessions with stages, by night and recorder (`SleepSessionBuilder`).
public struct SleepHandler: HealthMetricSyncHandler {
    private let gapMinutes: Int

    /// The handler; a gap of more than `gapMinutes` between samples starts a new session.
    public init(gapMinutes: Int = SleepSessionBuilder.standardGapMinutes) { self.gapMinutes = gapMinutes }

    /// `sleep`.
    public var metric: HealthMetric { .sleep }

    /// `HKCategoryTypeIdentifierSleepAnalysis`.
    public var reads: [SampleTypeDefinition] { [.sleepAnalysis] }

    /// Brings last night and the nights that may still change up to date.
    public func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome { try await sync(context) }

    /// Brings any stretch of the past up to date.
    public func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await sync(context)
    }

    private func sync(_ context: any MetricSyncContext) async throws -> SyncOutcome {
        // Another gap makes other sessions of the same samples: it is part of the version.
        try await context.deriveChangedDays(
            of: metric, version: 2_000_000 + gapMinutes, reading: [SampleTypeDefinition.sleepAnalysis.type],
            reach: .nights(gapMinutes: gapMinutes)
        ) { [gapMinutes] days, window in
            let builder = SleepSessionBuilder(
                days: days, gapMinutes: gapMinutes, priority: context.originPriority, clock: context.clock(forZone:))
            return builder.sessions(of: window[SampleTypeDefinition.sleepAnalysis.type])
        }
    }
}

package import HealthSyncDomain
package import HealthSyncPorts

/// Sleep sessions with stages, by night and recorder (`SleepSessionBuilder`).
package struct SleepHandler: DerivingHandler {
    private let gapMinutes: Int

    /// The handler; a gap of more than `gapMinutes` between samples starts a new session.
    package init(gapMinutes: Int = SleepSessionBuilder.standardGapMinutes) { self.gapMinutes = gapMinutes }

    /// `sleep`.
    package var metric: HealthMetric { .sleep }

    /// `HKCategoryTypeIdentifierSleepAnalysis`.
    package var reads: [SampleTypeDefinition] { [.sleepAnalysis] }

    package func sync(in context: any MetricSyncContext) async throws -> SyncOutcome {
        // Another gap makes other sessions of the same samples: it is part of the version. In version 1 the night over a
        // day that the zone left out belonged to that day; in version 2 snapshots did not say that nobody slept, in
        // version 3 sums of two nights that abut were one.
        try await context.deriveChangedDays(
            of: metric, version: 4_000_000 + gapMinutes, reading: [SampleTypeDefinition.sleepAnalysis.type],
            reach: .nights(gapMinutes: gapMinutes)
        ) { [gapMinutes] days, window in
            let builder = SleepSessionBuilder(
                days: days, gapMinutes: gapMinutes, priority: context.originPriority, clock: context.clock(forZone:))
            return builder.sessions(of: window[SampleTypeDefinition.sleepAnalysis.type])
        }
    }
}

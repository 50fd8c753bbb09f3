import HealthSyncDomain
import HealthSyncPorts

/// What the handlers of sums share: one cumulative type, merged over its origins.
struct SumDerivation {
    private let metric: HealthMetric
    private let definition: SampleTypeDefinition
    /// Raised when the same samples shall give other sums: in version 1 a device was classed by letters within its name, in
    /// version 2 what was entered by hand came last, in version 3 sums were not rounded.
    private static let version = 4

    init(_ metric: HealthMetric, of definition: SampleTypeDefinition) {
        self.metric = metric
        self.definition = definition
    }

    func sync(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await context.deriveChangedDays(
            of: metric, version: Self.version, reading: [definition.type], reach: .days
        ) { [metric, definition] days, window in
            let merge = StepMerge(
                metric: metric, unit: definition.unit, days: days, priority: context.originPriority,
                clock: context.clock(forZone:))
            return merge.days(of: window[definition.type])
        }
    }
}

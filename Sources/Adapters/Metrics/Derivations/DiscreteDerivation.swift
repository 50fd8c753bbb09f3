import HealthSyncDomain
import HealthSyncPorts

/// What the handlers of measurements share: one type, summed up by hour and day.
struct DiscreteDerivation {
    private let metric: HealthMetric
    private let definition: SampleTypeDefinition
    private let version: Int
    private let configure: @Sendable (inout DiscreteSummary) -> Void

    /// A derivation whose summary is as `configure` leaves it; `version` is raised when the same samples shall give
    /// other figures.
    init(
        _ metric: HealthMetric, of definition: SampleTypeDefinition, version: Int = 1,
        configure: @escaping @Sendable (inout DiscreteSummary) -> Void
    ) {
        self.metric = metric
        self.definition = definition
        self.version = version
        self.configure = configure
    }

    func sync(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await context.deriveChangedDays(
            of: metric, version: version, reading: [definition.type], reach: .days
        ) { [metric, definition, configure] days, window in
            var summary = DiscreteSummary(
                metric: metric, unit: definition.unit, days: days, priority: context.originPriority,
                clock: context.clock(forZone:))
            configure(&summary)
            return summary.days(of: window[definition.type])
        }
    }
}

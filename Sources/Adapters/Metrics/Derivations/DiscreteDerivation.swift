import HealthSyncDomain
import HealthSyncPorts

/// What the handlers of measurements share: one type, summed up by hour and day.
struct DiscreteDerivation {
    private let metric: HealthMetric
    private let definition: SampleTypeDefinition
    private let configure: @Sendable (inout DiscreteSummary) -> Void
    /// Raised when the same samples shall give other figures.
    private static let version = 1

    /// A derivation whose summary is as `configure` leaves it.
    init(
        _ metric: HealthMetric, of definition: SampleTypeDefinition,
        configure: @escaping @Sendable (inout DiscreteSummary) -> Void
    ) {
        self.metric = metric
        self.definition = definition
        self.configure = configure
    }

    func sync(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await context.deriveChangedDays(
            of: metric, version: Self.version, reading: [definition.type], reach: .days
        ) { [metric, definition, configure] days, window in
            var summary = DiscreteSummary(
                metric: metric, unit: definition.unit, days: days, priority: context.originPriority,
                clock: context.clock(forZone:))
            configure(&summary)
            return summary.days(of: window[definition.type])
        }
    }
}

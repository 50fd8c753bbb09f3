import HealthSyncDomain
import HealthSyncPorts

/// What the handlers of measurements share: one type, summed up by hour and day.
struct DiscreteDerivation {
    private let metric: HealthMetric
    private let definition: SampleTypeDefinition
    private let version: Int
    private let quantity: DiscreteSummary.Quantity
    private let configure: @Sendable (inout DiscreteSummary) -> Void

    /// A derivation of `quantity`, with a summary that `configure` may change further; `version` is raised when the same
    /// samples shall give other figures.
    init(
        _ metric: HealthMetric, of definition: SampleTypeDefinition, version: Int = 2,
        quantity: DiscreteSummary.Quantity = .mean,
        configure: @escaping @Sendable (inout DiscreteSummary) -> Void = { _ in }
    ) {
        self.metric = metric
        self.definition = definition
        self.version = version
        self.quantity = quantity
        self.configure = configure
    }

    func sync(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await context.deriveChangedDays(
            of: metric, version: version, reading: [definition.type], reach: reach
        ) { [metric, definition, quantity, configure] days, window in
            var summary = DiscreteSummary(
                metric: metric, unit: definition.unit, days: days, priority: context.originPriority,
                clock: context.clock(forZone:))
            summary.quantity = quantity
            configure(&summary)
            return summary.days(of: window[definition.type])
        }
    }

    private var reach: SampleReach {
        if case .timeWeightedMean(let holdMinutes) = quantity { .holding(minutes: holdMinutes) } else { .days }
    }
}

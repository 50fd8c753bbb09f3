package import HealthSyncDomain
package import HealthSyncPorts

/// Any quantity of the table of types, by hour and day, as its kind says: the sum of a cumulative one, merged over
/// devices; the mean of a discrete one, over time where its definition says so; the last value of a state. The latter two with minimum, maximum and count.
package struct QuantityMetricHandler: DerivingHandler {
    private let definition: SampleTypeDefinition
    private let holdMinutes: Int

    /// The metric, named as the type's short name: `bodyMass`.
    package let metric: HealthMetric

    /// A handler for `definition`, whose measurements hold for at most `holdMinutes` where it is averaged over time;
    /// `nil` for a category, which has no quantity.
    package init?(_ definition: SampleTypeDefinition, holdMinutes: Int = DiscreteSummary.standardHoldMinutes) {
        guard definition.kind != .category else { return nil }
        self.definition = definition
        self.holdMinutes = holdMinutes
        metric = HealthMetric(rawValue: definition.type.shortName.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }

    /// The one type.
    package var reads: [SampleTypeDefinition] { [definition] }

    package func sync(in context: any MetricSyncContext) async throws -> SyncOutcome {
        switch definition.kind {
        case .cumulative:
            try await SumDerivation(metric, of: definition).sync(in: context)
        case .discrete where definition.averaging == .temporallyWeighted:
            // In version 1 the mean was that of the measurements.
            try await DiscreteDerivation(
                metric, of: definition, version: 2, quantity: .timeWeightedMean(holdMinutes: holdMinutes)
            ).sync(in: context)
        case .discrete, .category:
            try await DiscreteDerivation(metric, of: definition).sync(in: context)
        case .state:
            // In version 1 the built-in ones were averaged, in version 2 a device was classed by letters within its name.
            try await DiscreteDerivation(metric, of: definition, version: 3, quantity: .last).sync(in: context)
        }
    }
}

import HealthSyncDomain

/// The maximum size of intervals.
package struct LayeringLimits: Sendable, Hashable {
    /// Steps in an interval of the type `stepCount`.
    package var steps = LayeringRule.steps.limit
    /// Samples in an interval of any other type.
    package var samples = LayeringRule.samples.limit

    package init() {}

    func rule(for type: SampleType) -> LayeringRule {
        type == SampleTypeDefinition.stepCount.type
            ? LayeringRule(measure: .steps, limit: steps) : LayeringRule(measure: .samples, limit: samples)
    }
}

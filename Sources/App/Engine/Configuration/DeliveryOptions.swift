package import HealthSyncDomain

/// The options of a delivery.
package struct DeliveryOptions: Sendable, Hashable {
    /// The number of batches in flight at once.
    package var concurrency = 3
    /// The longest time that sending one batch may take, in milliseconds.
    package var requestTimeoutMilliseconds: Int64 = 30_000
    /// The largest number of records in a batch that tests whether the destination is available again.
    package var probeRecords = 50
    package var policy = RetryPolicy()
    /// How long a run goes on trying a destination that does not answer, in milliseconds since its last answer; `nil` for
    /// as long as the deadline allows.
    package var patienceMilliseconds: Int64?

    package init() {}

    /// Twice the request timeout and a margin, so that a lease never expires while its batch is being sent.
    package var leaseMilliseconds: Int64 { 2 * requestTimeoutMilliseconds + 10_000 }
}

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

/// How many samples of a batch had which outcome.
public struct SampleCounts: Hashable, Sendable {
    /// Stored for the first time.
    public var created = 0
    /// Stored in place of an older revision.
    public var updated = 0
    /// Already stored.
    public var duplicate = 0
    /// Rejected permanently.
    public var rejected = 0
    /// Stored by a destination that does not report which of the above.
    public var accepted = 0

    /// Creates counts of 0.
    public init() {}

    /// The number of samples with an outcome: each is in exactly one of the other counts.
    package var answered: Int { created + updated + duplicate + rejected + accepted }

    /// Adds `other`.
    package static func += (left: inout SampleCounts, right: SampleCounts) {
        left.created += right.created
        left.updated += right.updated
        left.duplicate += right.duplicate
        left.rejected += right.rejected
        left.accepted += right.accepted
    }
}

/// The outcome for the samples of one outbox item.
public struct SampleVerdicts: Hashable, Sendable {
    /// A sample that was rejected permanently.
    public struct Rejected: Hashable, Sendable {
        /// The sample.
        public var id: SampleID
        /// Why the destination rejects it.
        public var reason: String

        /// Creates the rejection of one sample.
        public init(id: SampleID, reason: String) {
            self.id = id
            self.reason = reason
        }
    }

    /// The outcomes, counted.
    public var counts: SampleCounts
    /// The rejected samples. Each becomes a dead letter of its own.
    public var rejected: [Rejected]
    /// Samples to send again. Each group becomes an item of its own.
    public var waiting: [[SampleID]]

    /// Creates the outcome with these parts.
    public init(counts: SampleCounts = SampleCounts(), rejected: [Rejected] = [], waiting: [[SampleID]] = []) {
        self.counts = counts
        self.rejected = rejected
        self.waiting = waiting
    }
}

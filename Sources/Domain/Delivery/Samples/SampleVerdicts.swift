/// How many samples a server said what about.
package struct SampleCounts: Hashable, Sendable {
    package var created = 0
    package var updated = 0
    package var duplicate = 0
    package var rejected = 0
    /// Taken by a server that does not say what became of them.
    package var believed = 0

    package init() {}

    /// Samples that were answered for: each is in exactly one of the other counts.
    package var answered: Int { created + updated + duplicate + rejected + believed }

    /// Adds `other`.
    package static func += (left: inout SampleCounts, right: SampleCounts) {
        left.created += right.created
        left.updated += right.updated
        left.duplicate += right.duplicate
        left.rejected += right.rejected
        left.believed += right.believed
    }
}

/// What an answer means for the samples of one outbox item.
package struct SampleVerdicts: Hashable, Sendable {
    /// A sample that was refused for good.
    package struct Rejected: Hashable, Sendable {
        package var id: SampleID
        package var reason: String

        package init(id: SampleID, reason: String) {
            self.id = id
            self.reason = reason
        }
    }

    package var counts: SampleCounts
    /// Each becomes a dead letter of its own.
    package var rejected: [Rejected]
    /// Samples to be sent again: each group waits as an item of its own.
    package var waiting: [[SampleID]]

    package init(counts: SampleCounts = SampleCounts(), rejected: [Rejected] = [], waiting: [[SampleID]] = []) {
        self.counts = counts
        self.rejected = rejected
        self.waiting = waiting
    }
}

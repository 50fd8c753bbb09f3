/// A difference between the local store and a server in one sample.
package struct SampleDifference: Hashable, Sendable {
    /// The kind of a difference.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Stored locally, but not on the server.
        case missing
        /// Stored on the server, but not locally.
        case surplus
        /// Stored on both sides with a different start, end or value.
        case changed
    }

    package var kind: Kind
    package var id: SampleID
    /// The local start of the sample, or the start on the server if it is surplus.
    package var start: Instant
    /// The revision on the server; 0 for a missing sample.
    package var revision: Int

    package init(kind: Kind, id: SampleID, start: Instant, revision: Int = 0) {
        self.kind = kind
        self.id = id
        self.start = start
        self.revision = revision
    }
}

/// An interval of the grid in which the samples of the local store and a server differ.
package struct IntervalDifference: Hashable, Sendable {
    package var interval: GridInterval
    /// Ascending by start and id.
    package var samples: [SampleDifference]

    package init(interval: GridInterval, samples: [SampleDifference]) {
        self.interval = interval
        self.samples = samples
    }
}

/// What a destination accepts.
public struct DestinationCapabilities: Sendable, Hashable {
    /// The largest number of records in a batch, by kind. Days and hours count: a day with 24 hours is 25 records, so that a limit
    /// of 200 means eight days. Records of a kind that is absent stay in the outbox.
    public var batchLimits: [RecordKind: Int]
    /// The largest batch in bytes, before compression.
    public var maxBatchBytes: Int
    /// Whether deletions are accepted. If not, they become dead letters.
    public var acceptsDeletions: Bool
    /// The largest number of raw samples in a batch, for types without a limit of their own; `nil` if none are
    /// accepted.
    package var sampleLimit: Int?
    /// Whether a batch may contain deletions of several raw samples, up to the limit of their kind. If not, each
    /// deletion is a batch.
    package var groupsSampleDeletions = false
    /// Whether compressed batches are accepted.
    package var acceptsCompression = false
    /// Whether the destination returns a verdict for each record. If not, a batch is stored as a whole or not at all,
    /// and must not exceed `batchLimits` even if it was frozen under other limits.
    package var returnsVerdicts = true
    /// Whether the destination returns digests of its raw samples.
    package var digests = false
    /// Whether the destination returns digests of its derived records.
    package var recordDigests = false
    /// Whether the destination takes the day, the night and the role of sleep sessions, and what counts of them.
    package var sleepNights = false

    /// Creates a destination that accepts records of the kinds in `batchLimits`.
    public init(batchLimits: [RecordKind: Int], maxBatchBytes: Int = 1 << 20, acceptsDeletions: Bool = true) {
        self.batchLimits = batchLimits
        self.maxBatchBytes = maxBatchBytes
        self.acceptsDeletions = acceptsDeletions
    }

    /// Returns the largest number of records of `kind` in a batch; `nil` if the kind is not accepted.
    package func limit(of kind: RecordKind) -> Int? {
        batchLimits[kind] ?? (kind.isOfSamples ? sampleLimit : nil)
    }
}

/// The answer of a destination to a request for its capabilities.
public enum CapabilityAnswer: Sendable, Hashable {
    /// The destination is available and accepts this.
    case capabilities(DestinationCapabilities)
    /// The destination is not available; the verdict states the next step.
    case failed(BatchVerdict)
}

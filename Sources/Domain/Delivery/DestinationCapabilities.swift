/// What a server said it can do.
package struct DestinationCapabilities: Sendable, Hashable {
    /// Largest number of records a request, by kind; a kind that is not here cannot be sent.
    package var batchLimits: [RecordKind: Int]
    /// Largest uncompressed body in bytes.
    package var maxBodyBytes: Int
    /// Whether compressed bodies are understood.
    package var gzip: Bool
    /// Whether deletions are understood.
    package var tombstones: Bool
    /// Whether it answers a result for each record.
    package var results: Bool
    /// Whether it answers digests of the samples that it has.
    package var digests = false
    /// Whether it answers digests of the derived records that it has.
    package var recordDigests = false

    package init(
        batchLimits: [RecordKind: Int], maxBodyBytes: Int, gzip: Bool, tombstones: Bool, results: Bool
    ) {
        self.batchLimits = batchLimits
        self.maxBodyBytes = maxBodyBytes
        self.gzip = gzip
        self.tombstones = tombstones
        self.results = results
    }

    /// Largest number of records of `kind` a request; `nil` for a kind that cannot be sent. Raw samples of every type go
    /// by what holds for steps where the server has results, which makes it one of ours.
    package func limit(of kind: RecordKind) -> Int? {
        batchLimits[kind] ?? (results && kind.isOfSamples ? batchLimits[.steps] : nil)
    }

    /// A server of the original kind: the two fixed shapes and nothing else.
    package static let plain = DestinationCapabilities(
        batchLimits: [.steps: 2_000, .sleep: 1], maxBodyBytes: 1 << 20, gzip: false, tombstones: false, results: false)
}

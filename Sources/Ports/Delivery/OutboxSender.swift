package import HealthSyncDomain

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

/// Turns records into the bytes of the wire and sends them.
///
/// Contract (`OutboxSenderContract`): encoding is pure and canonical (sorted keys, fixed number and date form), so equal
/// records give equal bytes. `send` never throws for what a server or network does: that is a verdict.
package protocol OutboxSender: Sendable {
    /// Asks what the server can do.
    func capabilities() async -> CapabilityAnswer
    /// Sends the bytes of `batch` under its key and says what the answer means.
    func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> ResponseVerdict
    /// Puts the payloads of `items`, all of one kind, into one request. Items that stand for samples come with their
    /// payload and with the ids of its samples in `slice.only`.
    func batch(of items: [OutboxItem], destination: String, capabilities: DestinationCapabilities) -> OutboxBatch
    /// Has the server forget all raw steps of the user; throws `SyncFailure` when it does not.
    func deleteAllSteps() async throws
}

/// The answer to the question what a server can do.
package enum CapabilityAnswer: Sendable, Hashable {
    /// It said so, or a 404 said that it is of the original kind.
    case capabilities(DestinationCapabilities)
    /// No usable answer; the verdict says what to do.
    case failed(ResponseVerdict)
}

/// Turns records into outbox items: the vocabulary of the wire belongs to the adapter that sends.
///
/// Contract: pure; equal records give equal items.
package protocol OutboxEncoder: Sendable {
    /// The server's base address.
    var destination: String { get }
    /// One item for one metric's day; its members are the hour and day entries. `removed` are entries of the earlier
    /// revision that are no more: they become tombstone items.
    func items(for progress: RevisedRecord<DailyProgress>, removed: [String]) -> [NewOutboxItem]
    /// One item for one session.
    func item(for session: RevisedRecord<SleepSession>) -> NewOutboxItem
    /// One item for one snapshot.
    func item(for snapshot: RevisedRecord<ActivitySnapshot>) -> NewOutboxItem
    /// Items that delete every entry of a metric's day; like all items of that day they go in order of revision.
    func removal(of progress: RevisedRecord<DailyProgress>) -> [NewOutboxItem]
    /// An item that deletes the session or snapshot with `sourceID`.
    func tombstone(_ sourceID: String, kind: RecordKind, revision: Int) -> NewOutboxItem
    /// Wire ids of the entries of `progress`.
    func entryIDs(of progress: DailyProgress) -> [String]
    /// The payload of an item that stands for `samples`, in their order; each with its revision where it has one.
    func payload(
        of samples: RawSamples, kind: RecordKind, unit: String, revisions: [SampleID: SampleRevision]
    ) -> [UInt8]
}

public import HealthSyncDomain

/// A place that records are delivered to, such as a server or a file.
public struct HealthDestination: Sendable {
    /// The address in one canonical form. It identifies the destination's queue in the outbox.
    public var address: String
    /// Encodes the records.
    public var encoder: any HealthRecordEncoder
    /// Delivers the batches.
    public var sender: any HealthRecordSender
    /// Encodes raw samples; `nil` if the destination accepts none.
    public var sampleEncoder: (any RawSampleEncoder)?
    /// Deletes raw steps at the destination; `nil` if it cannot.
    public var eraser: (any StoredStepEraser)?
    /// Asks the destination which raw samples it has; `nil` if it cannot be verified.
    package var reader: (any ServerSampleReader)?
    /// Asks the destination which derived records it has; `nil` if it cannot be verified.
    package var recordReader: (any ServerRecordReader)?

    /// Creates a destination for derived records, and for raw samples where `sampleEncoder` is given.
    public init(
        address: String, encoder: any HealthRecordEncoder, sender: any HealthRecordSender,
        sampleEncoder: (any RawSampleEncoder)? = nil, eraser: (any StoredStepEraser)? = nil
    ) {
        self.address = address
        self.encoder = encoder
        self.sender = sender
        self.sampleEncoder = sampleEncoder
        self.eraser = eraser
    }
}

/// Opens destinations whose addresses have one form, such as `ndjson:/path/to/file`.
///
/// The address is what the user gives as `--server`, `HEALTHSYNC_SERVER` or `server.url`.
public protocol HealthDestinationFormat: Sendable {
    /// The form of the addresses, for messages: `https://host`, `ndjson:/path/to/file`.
    var addressForm: String { get }
    /// Returns whether `address` has this form. Looks at the text only.
    func recognizes(_ address: String) -> Bool
    /// Opens the destination at an address that has this form. Nothing is sent or written yet.
    ///
    /// - Throws: `SyncFailure` with `.configuration` if the address or a setting cannot be used.
    func destination(for request: DestinationRequest) throws -> HealthDestination
}

/// The settings with which a destination is opened.
public struct DestinationRequest: Sendable {
    /// The address as the user gave it.
    public var address: String
    /// The token from `--token-file` or `HEALTHSYNC_TOKEN`; `nil` if none exists. Never log it.
    public var token: String?
    /// The id of the user whose records are delivered, a UUID.
    public var userProfile: String
    /// The largest number of concurrent calls of `send`.
    public var batchesInFlight: Int
    /// The longest time that sending one batch may take, in milliseconds.
    public var timeoutMilliseconds: Int
    /// The clock.
    public var time: any TimeSource
    /// Sends requests over HTTP, for senders that need it. In tests of a sender, that of `HealthSync.httpExchange`.
    public var http: any HTTPExchange

    /// Creates a request to open the destination at `address`. By default `http` sends nothing.
    public init(
        address: String, token: String? = nil, userProfile: String, batchesInFlight: Int = 3,
        timeoutMilliseconds: Int = 30_000, time: any TimeSource, http: (any HTTPExchange)? = nil
    ) {
        self.address = address
        self.token = token
        self.userProfile = userProfile
        self.batchesInFlight = batchesInFlight
        self.timeoutMilliseconds = timeoutMilliseconds
        self.time = time
        self.http = http ?? NoHTTPExchange()
    }
}

/// Writes records in the form that a destination stores.
///
/// Contract (`HealthDestinationContract`): the functions are pure, and equal records give equal bytes in every
/// instance, process and machine. The bytes are stored in the outbox, and the idempotency key depends on them.
public protocol HealthRecordEncoder: Sendable {
    /// Returns the payload for one metric's day. Its entries are the day and its hours, with the ids of
    /// `DailyProgress.entryIDs`.
    func payload(of progress: RevisedRecord<DailyProgress>) -> [UInt8]
    /// Returns the payload for one sleep session.
    func payload(of session: RevisedRecord<SleepSession>) -> [UInt8]
    /// Returns the payload for one day's activity snapshot.
    func payload(of snapshot: RevisedRecord<ActivitySnapshot>) -> [UInt8]
}

/// Writes raw samples in the form that a destination stores. Only for destinations that accept raw samples.
///
/// Contract: as for `HealthRecordEncoder`.
public protocol RawSampleEncoder: Sendable {
    /// Returns the payload for `samples`, in their order. `unit` is the unit of their values; a sample without an entry
    /// in `revisions` has revision 0.
    func payload(
        of samples: RawSamples, kind: RecordKind, unit: String, revisions: [SampleID: SampleRevision]
    ) -> [UInt8]
}

/// Delivers batches to one destination.
///
/// The outbox does the rest: it claims records, commits each batch before it is sent, settles the verdicts, retries
/// with the same bytes under the same key, and keeps rejected records as dead letters.
///
/// Contract (`HealthDestinationContract`):
/// - `content` is pure: equal records give equal bytes.
/// - `send` reports a record as delivered only after it is stored durably. Sending a batch again under the same key
///   changes nothing and returns the same verdicts.
/// - `.items` contains a verdict for each item, in the order of the batch.
/// - `send` does not throw: every failure of a server, network or disk is a verdict.
/// - `send` may be called from several tasks at once, each with another batch. When its task is cancelled, a batch that
///   was partly sent is finished first, and the verdict is the true one.
/// - No value of a record appears in a verdict's reason.
public protocol HealthRecordSender: Sendable {
    /// Asks the destination what it accepts.
    func capabilities() async -> CapabilityAnswer
    /// Returns the bytes of one batch of `records`, which are of one kind. A tombstone is alone, unless
    /// the destination groups deletions of raw samples; then a batch may contain several of them and nothing else.
    func content(of records: [OutgoingRecord], capabilities: DestinationCapabilities) -> BatchContent
    /// Sends the bytes of `batch` under its key and returns the outcome.
    func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> BatchVerdict
}

/// Deletes raw samples at a destination. Only for destinations that can.
public protocol StoredStepEraser: Sendable {
    /// Deletes all raw steps of the user. Safe to repeat.
    ///
    /// - Throws: `SyncFailure` with `.deliveryIncomplete` if they were not deleted, or if the outcome is unknown.
    func deleteAllSteps() async throws
}

/// Asks a server which raw samples it has.
///
/// Contract (`ServerSampleReaderContract`): nothing changes on the server. A deleted sample is in no response. A sample
/// belongs to the interval that contains its start. A server that does not respond is a `SyncFailure` with
/// `.serverUnavailable`, a response that cannot be read is one with `.unverifiable`. A partial response is never
/// returned. Requests may be made in any order and repeated; pages of one range are requested one after the other.
package protocol ServerSampleReader: Sendable {
    /// The largest number of intervals that `digests` accepts at once.
    var intervalsPerRequest: Int { get }
    /// Returns the digests of the samples of `type` in each of `intervals`, all of one length, in their order.
    func digests(of type: SampleType, in intervals: [GridInterval]) async throws -> [HalvedDigest]
    /// Returns samples of `type` that start within `range`, page by page in an order that the server chooses: the first
    /// page for `nil`, else the one at the cursor that a page returned.
    func samples(of type: SampleType, in range: InstantRange, from cursor: String?) async throws -> RawSamplePage
}

/// Asks a server which derived records it has.
///
/// Contract: nothing changes on the server. A server that does not respond is a `SyncFailure` with
/// `.serverUnavailable`; a response that cannot be read is one with `.unverifiable`. A partial response is never
/// returned.
package protocol ServerRecordReader: Sendable {
    /// Returns the digests of the records of `kind`, of all days or those of `days`, and of all tombstones of that
    /// kind.
    func digests(of kind: RecordKind, days: DayRange?) async throws -> RecordDigests
    /// Returns the entries of records of `kind` and `days`, one page at a time in the order of their ids: the first
    /// page for `nil`, else the one that follows the id `after`.
    func entries(of kind: RecordKind, days: DayRange, after: String?) async throws -> RecordEntryPage
    /// Returns the tombstones of `kind`, in the same way.
    func tombstones(of kind: RecordKind, after: String?) async throws -> RecordEntryPage
}

public import HealthSyncDomain

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

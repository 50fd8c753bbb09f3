package import HealthSyncDomain

/// Turns records into the bytes of the wire and sends them.
///
/// Contract (`OutboxSenderContract`): encoding is pure and canonical (sorted keys, fixed number and date form), so equal
/// records give equal bytes. `send` never throws for what a server or network does: that is a verdict. It may be called
/// from any number of tasks at once, each with another batch; a request whose bytes have left is waited for, cancelled or
/// not.
package protocol OutboxSender: Sendable {
    /// Asks what the server can do.
    func capabilities() async -> CapabilityAnswer
    /// Sends the bytes of `batch` under its key and says what the answer means.
    func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> ResponseVerdict
    /// Puts the payloads of `items`, all of one kind, into one request. Items that stand for samples come with their
    /// payload and with the ids of its samples in `slice.only`.
    func batch(of items: [OutboxItem], destination: String, capabilities: DestinationCapabilities) -> OutboxBatch
    /// Has the server forget all raw steps of the user. Safe to repeat; throws `SyncFailure` with `.deliveryIncomplete`
    /// when it does not, or when nobody knows.
    func deleteAllSteps() async throws
}

/// Turns records into outbox items: the vocabulary of the wire belongs to the adapter that sends.
///
/// Contract: pure; equal records give equal items.
package protocol OutboxEncoder: Sendable {
    /// The server's base address.
    var destination: String { get }
    /// One item for one metric's day; its members are the day and hour entries.
    func item(for progress: RevisedRecord<DailyProgress>) -> NewOutboxItem
    /// One item for one session.
    func item(for session: RevisedRecord<SleepSession>) -> NewOutboxItem
    /// One item for one snapshot.
    func item(for snapshot: RevisedRecord<ActivitySnapshot>) -> NewOutboxItem
    /// An item that deletes a record or an entry, behind the earlier revisions of its record.
    func tombstone(_ removed: RemovedRecord) -> NewOutboxItem
    /// The payload of an item that stands for `samples`, in their order; each with its revision where it has one.
    func payload(
        of samples: RawSamples, kind: RecordKind, unit: String, revisions: [SampleID: SampleRevision]
    ) -> [UInt8]
}

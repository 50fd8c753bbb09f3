package import HealthSyncDomain

/// Where a receiving server keeps what it was sent.
///
/// Contract (`ReceivedDataStoreContract` in HealthSyncTestKit checks it):
/// - `store` returns after everything is on disk, and stores a request as a whole or not at all. It may be called from
///   any number of tasks at once; requests that come together may share one durable commit.
/// - Each record is decided by `StoreOutcome.of`, one after the other in the order given, also against earlier ones of
///   the same request.
/// - No method reads or changes anything of another user than the one named.
/// - Reads see whole requests only, and everything that was answered before they began.
/// - Failures of the store are `SyncFailure` with `.storage`; nothing of the request is stored then, or the state is
///   unknown and the same request may be sent again.
package protocol ReceivedDataStore: Sendable {
    /// Stores the records and returns what became of each, in their order.
    ///
    /// - Throws: `SyncFailure` with `.batchKeyReused` when the write's key came before with other content.
    func store(_ write: ReceivedWrite) async throws -> [StoreOutcome]

    /// Forgets all samples of `type`, tombstones too, and returns how many there were that were not deleted.
    func removeAllSamples(of type: String, user: UserName) async throws -> Int

    /// Samples that are not deleted, in the order in which they were first stored.
    func samples(_ query: SampleQuery) async throws -> ReceivedSamplePage

    /// How many samples `query` would give, were it asked from the beginning and without limit.
    func sampleCount(_ query: SampleQuery) async throws -> Int

    /// From the first to the last start of samples of `type` that are not deleted; `nil` when there are none.
    func sampleStarts(of type: String, user: UserName) async throws -> ClosedRange<Instant>?

    /// Records that are not deleted.
    func records(_ query: RecordQuery) async throws -> [StoredRecord]

    /// How many records `query` would give without offset and limit.
    func recordCount(_ query: RecordQuery) async throws -> Int

    /// Calls `body` with each record of `scan`, from one state of the store, and returns what it made of `initial`. Records
    /// come in no particular order, unless a page is asked for; memory does not grow with their number. Of a tombstone only
    /// id and revision are meaningful.
    func fold<Result: Sendable>(
        _ scan: RecordScan, into initial: Result,
        _ body: @escaping @Sendable (inout Result, ReceivedRecord) throws -> Void
    ) async throws -> Result

    /// The digest of the samples of `type` that start in `interval` and are not deleted.
    func digest(of type: String, in interval: InstantRange, user: UserName) async throws -> SampleSetDigest

    /// What there is of `user`.
    func inventory(of user: UserName) async throws -> ReceivedInventory

    /// Forgets batch keys that came before `instant`.
    func forgetBatchKeys(before instant: Instant) async throws

    /// Returns where changes can be made as far as the store knows, without waiting for those in hand. A store that a failed
    /// commit stopped tries to go on first.
    ///
    /// - Throws: `SyncFailure` with `.storage`: why none can be made.
    func checkWritable() async throws

    /// Ends all work and closes; nothing may be called afterwards.
    func close() async
}

extension SyncFailure.Code {
    /// The same batch key came before with other content.
    package static let batchKeyReused = Self(rawValue: "batchKeyReused")
}

package import HealthSyncDomain

/// The samples and records that a receiving server stores.
///
/// Contract (`ReceivedDataStoreContract` in HealthSyncTestKit checks it):
/// - `store` returns after everything is on disk, and stores either all records of a request or none. It may be called
///   from any number of tasks at once. Concurrent requests may share one durable commit.
/// - The outcome of each record follows `StoreOutcome.of`, in the given order, also against earlier records of the same
///   request.
/// - No method reads or changes data of a user other than the given one.
/// - Reads see either all records of a request or none, and every request whose `store` returned before the read began.
/// - Failures of the store are `SyncFailure` with `.storage`. Either nothing of the request is stored, or the state is
///   unknown; in both cases the same request may be sent again.
package protocol ReceivedDataStore: Sendable {
    /// Stores the records and returns their outcomes in order.
    ///
    /// - Throws: `SyncFailure` with `.batchKeyReused` if the write's key was used with other content.
    func store(_ write: ReceivedWrite) async throws -> [StoreOutcome]

    /// Deletes all samples of `type`, including tombstones. Returns how many of them were not tombstones.
    func removeAllSamples(of type: String, user: UserName) async throws -> Int

    /// Returns samples that are not deleted, in the order in which they were first stored.
    func samples(_ query: SampleQuery) async throws -> ReceivedSamplePage

    /// Returns the number of samples that match `query` without its position and limit.
    func sampleCount(_ query: SampleQuery) async throws -> Int

    /// Returns the first and last start of the samples of `type` that are not deleted; `nil` if none exist.
    func sampleStarts(of type: String, user: UserName) async throws -> ClosedRange<Instant>?

    /// Returns records that are not deleted.
    func records(_ query: RecordQuery) async throws -> [StoredRecord]

    /// Returns the number of records that match `query` without its offset and limit.
    func recordCount(_ query: RecordQuery) async throws -> Int

    /// Combines the records of `scan` into `initial` with `body`, from one consistent state of the store. The order is
    /// unspecified, unless `scan` selects a page. Memory does not grow with the number of records. Only id and revision
    /// of a tombstone are meaningful.
    func fold<Result: Sendable>(
        _ scan: RecordScan, into initial: Result,
        _ body: @escaping @Sendable (inout Result, ReceivedRecord) throws -> Void
    ) async throws -> Result

    /// Returns the digest of the samples of `type` that start in each of `intervals` and are not deleted, all from one state
    /// of the store. The intervals may overlap.
    func digests(of type: String, in intervals: [InstantRange], user: UserName) async throws -> [SampleSetDigest]

    /// Returns the types of the records of `kind` that are not deleted, ascending. Reads the index only, not every
    /// record.
    func recordTypes(of kind: RecordKind, user: UserName) async throws -> [String]

    /// Returns the inventory of `user`.
    func inventory(of user: UserName) async throws -> ReceivedInventory

    /// Returns the version of the records of `user`: while it is the same, `records` and the other methods that read
    /// records return the same. It may also change without them. `nil` if the store cannot tell.
    func version(of user: UserName) async throws -> DataVersion?

    /// Deletes batch keys that were received before `instant`.
    func deleteBatchKeys(before instant: Instant) async throws

    /// Checks whether the store can accept writes, as far as it knows, without waiting for current ones. A store that a
    /// failed commit stopped first tries to recover.
    ///
    /// - Throws: `SyncFailure` with `.storage` and the reason if it cannot.
    func checkWritable() async throws

    /// Finishes all work and closes the store. No method may be called afterwards.
    func close() async
}

extension SyncFailure.Code {
    /// The batch key was used with other content.
    package static let batchKeyReused = Self(rawValue: "batchKeyReused")
}

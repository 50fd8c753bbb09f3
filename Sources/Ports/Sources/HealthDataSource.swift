public import HealthSyncDomain

/// A file, a folder, an archive or a service with health samples.
///
/// **Snapshot or feed.** A `.snapshot` contains every sample up to its export date: samples of the previous snapshot of
/// the same provider that it lacks were deleted, and are deleted from the local store. Choose it only if the source
/// contains everything. A `.feed` adds samples and corrects them, and never deletes any. A sample replaces an earlier
/// one of the same type and origin with the same `SampleDetail.externalID`, if its `syncVersion` is not lower; without
/// an external id a sample is identified by its content, so that it is stored once however often it is read.
///
/// Contract (`HealthDataSourceContract` in HealthSyncTestKit checks it):
/// - Reading changes nothing and can be repeated, also concurrently.
/// - Samples arrive in any order and may repeat; the importer stores each once.
/// - The account adds up: records read = delivered + not selected + rejected. `SampleCollector` keeps such an account.
/// - Damage and a truncated end are skipped and noted. They are never thrown and never yield part of a sample.
///   `SyncFailure` with `.noInput` (does not exist) or `.badInput` (another format) is thrown only if nothing can be
///   read.
/// - Memory is bounded, regardless of the size of the input.
/// - Blocking calls run outside the cooperative threads, for example in `BlockingWork`.
public protocol HealthDataSource: Sendable {
    /// The path or URL that the user gave. Shown in reports and logs, so it contains no secret.
    var location: String { get }
    /// The format or service, such as `appleHealth`. Snapshots replace older snapshots of the same provider.
    var provider: String { get }
    /// Whether the source contains everything, or only adds.
    var semantics: SourceSemantics { get }

    /// Returns what identifies the source and its present content; a source with a known fingerprint is not read again.
    /// Cheap, for example size, time of the last change and a digest of both ends of a file; with the user's zones if the
    /// source has local times. Throws like `read` if there is nothing to read.
    func fingerprint() async throws -> SourceFingerprint

    /// Delivers the selected samples in batches and returns the account.
    ///
    /// `receive` is called by one thread at a time and never after the return. An error that it throws ends the reading
    /// and is rethrown. Cancellation of the calling task ends the reading with `CancellationError`.
    func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading
}

public import HealthSyncDomain

/// A format of sources: recognizes what the user named and opens it.
///
/// The formats passed to `HealthSync.main(adding:sources:senders:decoders:)` are asked before the built-in ones, in
/// their order. A file belongs to the first format that recognizes it. In a folder every format may find sources, and
/// all of them are read.
///
/// Contract (`HealthSourceFormatContract` in HealthSyncTestKit checks it): opening changes nothing, reads no more than
/// the head of a file, and can be repeated. A format recognizes files by their content, not only by their name.
public protocol HealthSourceFormat: Sendable {
    /// The name in messages, such as `CSV of samples`. A singular noun phrase without an article.
    var name: String { get }
    /// The URL schemes of this format in lower case and without the colon, such as `csv` for `csv:/data/steps.csv`;
    /// empty if it is recognized by path only. At least two characters each.
    var schemes: [String] { get }

    /// Returns the sources at `location`, or `nil` if they are of another format.
    ///
    /// - Parameters:
    ///   - location: an absolute path, or a URL with one of `schemes` exactly as the user wrote it.
    ///   - context: what the program knows about the user.
    /// - Throws: `SyncFailure` with `.noInput` or `.badInput` for a source of this format that cannot be opened.
    func sources(at location: String, in context: SourceContext) async throws -> FoundSources?
}

/// The information that a format may use to interpret a source.
public struct SourceContext: Sendable {
    /// The user's calendar days, for times that a source states without an offset.
    public var clock: DayClock
    /// All known types with their units, including those of plug-ins.
    public var types: SampleTypeTable

    /// Creates a context with this clock and these types.
    public init(clock: DayClock, types: SampleTypeTable = .builtIn()) {
        self.clock = clock
        self.types = types
    }
}

/// The sources at a location that the user named.
public struct FoundSources: Sendable {
    /// The sources to read.
    public var sources: [any HealthDataSource]
    /// Further exports at that location that are not read, for example older ones.
    public var unread: [UnreadExport]

    /// Creates a result with these sources, and with these exports that are not read.
    public init(_ sources: [any HealthDataSource] = [], unread: [UnreadExport] = []) {
        self.sources = sources
        self.unread = unread
    }

    /// Appends `others`.
    package mutating func add(_ others: FoundSources) {
        sources += others.sources
        unread += others.unread
    }
}

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

/// An export that was found and is not read.
public struct UnreadExport: Sendable, Hashable {
    /// The path or URL.
    public var path: String
    /// When it was exported; `nil` if it does not state it.
    public var exportDate: Instant?
    /// Why it is not read, as a clause without a full stop.
    public var reason: String
    /// What to do about it; empty if nothing needs to be done.
    public var advice: String

    /// Creates the description of an export at `path` that is not read because of `reason`.
    public init(path: String, exportDate: Instant?, reason: String, advice: String = "") {
        self.path = path
        self.exportDate = exportDate
        self.reason = reason
        self.advice = advice
    }
}

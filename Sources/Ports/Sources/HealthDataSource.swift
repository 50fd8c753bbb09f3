public import HealthSyncDomain

/// Which samples a reading delivers.
public struct SampleSelection: Sendable, Hashable {
    /// The types asked for, with their canonical units.
    public var types: [SampleTypeDefinition]
    /// Whether every other quantity and category type is delivered too, in its unit; one of which nothing is known, in the
    /// unit first met in the file.
    public var includesOtherTypes: Bool

    /// Those types, and all others where `includesOtherTypes`.
    public init(types: [SampleTypeDefinition], includesOtherTypes: Bool = false) {
        self.types = types
        self.includesOtherTypes = includesOtherTypes
    }
}

/// A file, folder or archive of health samples.
///
/// Contract (`HealthDataSourceContract` in HealthSyncTestKit checks it):
/// - Reading changes nothing and may be repeated, also at the same time.
/// - Samples arrive in no particular order and may repeat; the receiver counts each once.
/// - The account adds up: records read = delivered + not selected + refused.
/// - A broken stretch is skipped and noted, a truncated end is noted; neither is thrown, and neither yields part of a
///   sample. `SyncFailure` with `.noInput` or `.badInput` is thrown only when nothing can be read at all.
/// - No network, nothing outside the named path, memory bounded whatever the input.
public protocol HealthDataSource: Sendable {
    /// The path or name that a person gave.
    var location: String { get }
    /// The format and stream it belongs to, such as `appleHealth`: snapshots replace older ones of the same provider.
    var provider: String { get }
    /// Whether it says everything or only adds.
    var semantics: SourceSemantics { get }

    /// By which the source is recognised as unchanged. Cheap: reads both ends of the file and not the middle. Throws as
    /// `read` does where there is nothing to read.
    func fingerprint() async throws -> SourceFingerprint

    /// Delivers the selected samples in batches and returns the account.
    ///
    /// `receive` is called from one thread at a time, never after the return. What it throws ends the reading and is
    /// thrown on. Cancellation of the calling task ends the reading with `CancellationError`.
    func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading
}

public import HealthSyncDomain

/// One stored sample, as a row of an export.
public struct SampleRow: Sendable, Hashable {
    /// The sample's identity, stable across exports.
    public var id: SampleID
    /// What it measures.
    public var type: SampleType
    /// The source and device that recorded it.
    public var origin: SampleOrigin
    /// Start and end; equal for a sample without length.
    public var interval: InstantRange
    /// In `unit`; for a category HealthKit's number of the state.
    public var value: Double
    /// The canonical unit of the type; empty for categories.
    public var unit: String
    /// IANA name of the zone that the sample states; `nil` if it states none.
    public var zoneName: String?
    /// Further properties, which few samples have.
    public var detail: SampleDetail?

    package init(
        id: SampleID, type: SampleType, origin: SampleOrigin, interval: InstantRange, value: Double, unit: String,
        zoneName: String? = nil, detail: SampleDetail? = nil
    ) {
        self.id = id
        self.type = type
        self.origin = origin
        self.interval = interval
        self.value = value
        self.unit = unit
        self.zoneName = zoneName
        self.detail = detail
    }
}

/// The error that the reader of a pipe, such as `head`, has ended.
package struct RowReaderClosed: Error {
    package init() {}
}

/// Writes samples as rows of one format to one destination; used by `healthsync export`.
///
/// Contract: `begin` once, `append` any number of times, then `finish` or `discard` once; calls do not overlap. Rows
/// are written in the order given, and none is lost silently: a row that cannot be written throws `SyncFailure` with
/// `.cannotCreate` or `.storage`, and `RowReaderClosed` if the destination is a pipe that nobody reads. A file appears under its name only with `finish`; an existing file is not replaced.
package protocol SampleRowWriter: Sendable {
    /// Opens the destination; throws if it cannot be created.
    func begin() async throws
    /// Writes `rows` after the previous ones. An empty array writes nothing.
    func append(_ rows: [SampleRow]) async throws
    /// Makes all rows durable and moves the file to its name.
    func finish() async throws
    /// Deletes an unfinished file. Safe after a failure, and after `finish`, where it does nothing.
    func discard() async
}

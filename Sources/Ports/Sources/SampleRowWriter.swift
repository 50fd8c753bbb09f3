package import HealthSyncDomain

/// One sample as a row of an export.
package struct SampleRow: Sendable, Hashable {
    /// The sample's identity, stable over exports.
    package var id: SampleID
    package var type: SampleType
    package var origin: SampleOrigin
    /// Start and end; equal for a sample without length.
    package var interval: InstantRange
    /// In `unit`; for a category HealthKit's number of the state.
    package var value: Double
    /// The canonical unit of the type; empty for categories.
    package var unit: String
    /// IANA name of the zone that the sample states; `nil` when it states none.
    package var zoneName: String?
    /// What only few samples carry.
    package var detail: SampleDetail?

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

/// Writes samples as rows of one format to one place: the other end of `healthsync export`.
///
/// Contract: `begin` once, `append` any number of times, then `finish` or `discard` once; calls do not overlap. Rows are
/// written in the order given and none is lost silently: whatever cannot be written is thrown as `SyncFailure` with
/// `.cannotCreate` or `.storage`. A file appears under its name only with `finish`; one that exists is not replaced.
package protocol SampleRowWriter: Sendable {
    /// Opens the destination; throws where it cannot be made.
    func begin() async throws
    /// Writes `rows` behind those before. An empty array writes nothing.
    func append(_ rows: [SampleRow]) async throws
    /// Makes everything durable and puts the file in its place.
    func finish() async throws
    /// Removes what was begun. Safe after a failure, and after `finish`, where it does nothing.
    func discard() async
}

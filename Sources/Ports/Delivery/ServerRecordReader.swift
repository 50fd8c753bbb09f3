package import HealthSyncDomain

/// Asks a server which derived records it has.
///
/// Contract: changes nothing on the server. An error that keeps the server from answering is a `SyncFailure` with
/// `.serverUnavailable`, an answer that cannot be read one with `.unverifiable`. Part of an answer is never returned.
package protocol ServerRecordReader: Sendable {
    /// The digests of the records of `kind`, of all days or those of `days`, and of all tombstones of that kind.
    func digests(of kind: RecordKind, days: DayRange?) async throws -> RecordDigests
    /// The entries of records of `kind` and `days`, a page at a time in the order of the ids: the first page for `nil`, else
    /// the one that follows the id `after`.
    func entries(of kind: RecordKind, days: DayRange, after: String?) async throws -> RecordEntryPage
    /// The tombstones of `kind`, in the same way.
    func tombstones(of kind: RecordKind, after: String?) async throws -> RecordEntryPage
}

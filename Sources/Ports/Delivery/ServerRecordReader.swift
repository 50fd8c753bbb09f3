package import HealthSyncDomain

/// Asks a server which derived records it has.
///
/// Contract: nothing changes on the server. A server that does not respond is a `SyncFailure` with
/// `.serverUnavailable`; a response that cannot be read is one with `.unverifiable`. A partial response is never
/// returned.
package protocol ServerRecordReader: Sendable {
    /// Returns the digests of the records of `kind`, of all days or those of `days`, and of all tombstones of that
    /// kind.
    func digests(of kind: RecordKind, days: DayRange?) async throws -> RecordDigests
    /// Returns the entries of records of `kind` and `days`, one page at a time in the order of their ids: the first
    /// page for `nil`, else the one that follows the id `after`.
    func entries(of kind: RecordKind, days: DayRange, after: String?) async throws -> RecordEntryPage
    /// Returns the tombstones of `kind`, in the same way.
    func tombstones(of kind: RecordKind, after: String?) async throws -> RecordEntryPage
}

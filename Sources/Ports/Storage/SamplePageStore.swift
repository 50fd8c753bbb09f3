package import HealthSyncDomain

/// A page encoded for storage.
package struct PackedPage: Sendable {
    package var key: SamplePageKey
    package var summary: SamplePageSummary
    /// Encoded by `SamplePageCodec`.
    package var bytes: [UInt8]
    /// The digest of `bytes`, type and origin, which shows whether a day changed. The same figures with another
    /// origin are a change.
    package var digest: ContentDigest
    /// The input of the page; empty for a page that was not read from a store.
    package var provider: String

    package init(
        key: SamplePageKey, summary: SamplePageSummary, bytes: [UInt8], digest: ContentDigest, provider: String = ""
    ) {
        self.provider = provider
        self.key = key
        self.summary = summary
        self.bytes = bytes
        self.digest = digest
    }
}

/// The stored state of a source that was read to the end.
package struct ImportedSource: Sendable, Hashable {
    package var fingerprint: SourceFingerprint
    package var provider: String
    package var exportDate: Instant?
    /// The digest of the selection with which it was read. With another selection it is read again.
    package var selection: ContentDigest
    package var importedAt: Instant

    package init(
        fingerprint: SourceFingerprint, provider: String, exportDate: Instant?, selection: ContentDigest,
        importedAt: Instant
    ) {
        self.fingerprint = fingerprint
        self.provider = provider
        self.exportDate = exportDate
        self.selection = selection
        self.importedAt = importedAt
    }
}

/// The local store of samples.
///
/// Contract (`SamplePageStoreContract`): readers see only complete transactions; a page is returned exactly as
/// stored; two providers may have pages of the same type, origin and day independently of each other. Failures of the
/// store are thrown as `SyncFailure` with `.storage`.
package protocol SamplePageStore: Sendable {
    /// Runs `body` in one transaction. If `body` throws, the transaction is rolled back and the error is rethrown.
    /// `body` runs on the thread of the store and must not block.
    func changePages<Result: Sendable>(
        _ body: @escaping @Sendable (any SamplePageTransaction) throws -> Result
    ) async throws -> Result

    /// Returns the digests of all pages and deleted rows of `types` on the UTC days `days`, of all providers, in any
    /// order.
    func pageDigests(of types: [SampleType], utcDays days: DayRange) async throws -> [CalendarDay: [ContentDigest]]

    /// Returns the encoded pages of `types` on the UTC days `days`, of all providers, each with its provider.
    func pages(of types: [SampleType], utcDays days: DayRange) async throws -> [PackedPage]

    /// Returns what change streams deleted of `types` on the UTC days `days`, as far as its content is known, ordered by
    /// provider and identifier.
    func deletedRows(of types: [SampleType], utcDays days: DayRange) async throws -> [DeletedRow]

    /// Returns the duration of the longest sample of `types` in milliseconds: how long before an interval a sample
    /// may start that overlaps it.
    func longestSample(of types: [SampleType]) async throws -> Int64

    /// Returns the first and last UTC day with pages of `types`; `nil` if none exist.
    func dayExtent(of types: [SampleType]) async throws -> DayRange?

    /// Returns the types that have pages, with their stored definitions.
    func storedTypes() async throws -> [SampleTypeDefinition]

    /// Returns the types that have or once had pages, with their last stored definitions, ordered by identifier.
    /// Samples on servers outlive the last page of a type.
    func knownTypes() async throws -> [SampleTypeDefinition]

    /// Returns the stored state of the source at `path`.
    func importedSource(path: String) async throws -> ImportedSource?

    /// Returns all known sources, the most recently imported first, then by path.
    func importedSources() async throws -> [ImportedSource]

    /// Returns the number of samples that exports contain and that the feeds which cover them never sent, by the user's
    /// calendar day.
    func unsentSamples() async throws -> UnsentSamples

    /// Returns the names of all sources of samples, ordered by their bytes.
    func sourceNames() async throws -> [String]

    /// Returns the number of UTC days on which pages of exports without notations (`SamplePageCodec.formerVersion`) lie
    /// beside pages of the same quantity type from other inputs.
    func daysWithoutNotations() async throws -> Int
}

/// Changes to pages within one transaction of `SamplePageStore`. Do not use it after the transaction. Changes are
/// visible at once. Rethrow its errors, so that the transaction is rolled back.
package protocol SamplePageTransaction: StreamTransaction {
    /// Returns the digests of all pages of `provider` and `types`.
    func digests(provider: String, types: [SampleType]) throws -> [SamplePageKey: ContentDigest]
    /// Returns the page of `provider` at `key`.
    func page(provider: String, at key: SamplePageKey) throws -> PackedPage?
    /// Returns the encoded pages of `type` on the UTC days `days`, of all providers, each with its provider.
    func pages(of type: SampleType, utcDays days: DayRange) throws -> [PackedPage]
    /// Inserts or replaces the page; stores `definition` for its type and the duration of the longest sample.
    func put(_ page: PackedPage, provider: String, definition: SampleTypeDefinition, longestSample: Int64) throws
    /// Deletes the page at `key`.
    func remove(provider: String, at key: SamplePageKey) throws
    /// Returns the samples of the page that a snapshot deleted, encoded, with the export date of that snapshot.
    func tombstones(provider: String, at key: SamplePageKey) throws -> (page: PackedPage, exportDate: Instant)?
    /// Replaces the tombstones of the page; `nil` deletes them.
    func setTombstones(_ page: PackedPage?, provider: String, at key: SamplePageKey, exportDate: Instant) throws
    /// Returns the keys that have tombstones.
    func tombstoneKeys(provider: String) throws -> Set<SamplePageKey>
    /// Returns the dates of the complete snapshots of `provider` that were imported, by lineage.
    func snapshotDates(provider: String) throws -> [Int: SnapshotDates]
    /// Replaces the stored snapshot dates of a lineage.
    func setSnapshotDates(_ dates: SnapshotDates, provider: String, lineage: Int) throws
    /// Returns the digests of the noted contents of each lineage of `provider`, by page.
    func lineageDigests(provider: String) throws -> [SamplePageKey: [Int: ContentDigest]]
    /// Returns the noted contents of the page in each lineage of `provider`.
    func lineagePages(provider: String, at key: SamplePageKey) throws -> [Int: PackedPage]
    /// Stores the contents of the page in a lineage; `nil` deletes them. The type must have or have had a page.
    func setLineagePage(_ page: PackedPage?, provider: String, at key: SamplePageKey, lineage: Int) throws
    /// Stores the state of a source that was read to the end, replacing that of the same path.
    func remember(_ source: ImportedSource, isComplete: Bool) throws
}

/// The dates of the latest complete snapshots of one lineage, by type.
package struct SnapshotDates: Sendable, Hashable {
    /// The dates of snapshots that were read for selected types.
    package var chosen: [SampleType: Instant]
    /// The date of the latest snapshot that was read for all types.
    package var all: Instant?

    package init(chosen: [SampleType: Instant] = [:], all: Instant? = nil) {
        self.chosen = chosen
        self.all = all
    }

    /// The date for `type`; `nil` if no snapshot was read for it.
    package subscript(type: SampleType) -> Instant? { [chosen[type], all].compactMap { $0 }.max() }

    /// Adds a snapshot with the types and dates of `other`, keeping the later date of each type.
    package mutating func formUnion(_ other: SnapshotDates) {
        chosen.merge(other.chosen, uniquingKeysWith: max)
        all = [all, other.all].compactMap { $0 }.max()
    }

    /// Returns whether a snapshot with exactly this date is the latest of some type.
    package func contains(_ date: Instant) -> Bool { all == date || chosen.values.contains(date) }

    /// Returns the dates that are not later than `latest`.
    package func upTo(_ latest: Instant) -> SnapshotDates {
        SnapshotDates(chosen: chosen.filter { $0.value <= latest }, all: all.flatMap { $0 <= latest ? $0 : nil })
    }
}

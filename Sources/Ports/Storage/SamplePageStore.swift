package import HealthSyncDomain

/// A page packed for storage.
package struct PackedPage: Sendable {
    package var key: SamplePageKey
    package var summary: SamplePageSummary
    /// By `SamplePageCodec`.
    package var bytes: [UInt8]
    /// Digest of `bytes`, type and origin: days are known by it as unchanged, and the same figures of another origin are
    /// a change.
    package var digest: ContentDigest
    /// The input of which the page is; empty in a page that was not read from a store.
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

/// What is remembered of a source that was read to its end.
package struct IngestedSource: Sendable, Hashable {
    package var fingerprint: SourceFingerprint
    package var provider: String
    package var exportDate: Instant?
    /// Digest of the selection it was read with; another selection reads it again.
    package var selection: ContentDigest
    package var ingestedAt: Instant

    package init(
        fingerprint: SourceFingerprint, provider: String, exportDate: Instant?, selection: ContentDigest,
        ingestedAt: Instant
    ) {
        self.fingerprint = fingerprint
        self.provider = provider
        self.exportDate = exportDate
        self.selection = selection
        self.ingestedAt = ingestedAt
    }
}

/// The samples kept at home.
///
/// Contract (`SamplePageStoreContract`): readers see whole transactions only; a page is returned exactly as put; two
/// providers may hold the same type, origin and day without disturbing each other. Failures of the store are thrown as
/// `SyncFailure` with `.storage`.
package protocol SamplePageStore: Sendable {
    /// Runs `body` in one transaction: what it throws rolls everything back and is thrown on. `body` runs on the
    /// store's own thread and must not wait for anything.
    func changePages<Result: Sendable>(
        _ body: @escaping @Sendable (any SamplePageTransaction) throws -> Result
    ) async throws -> Result

    /// The digests of all pages of `types` on the UTC days of `days`, of all providers, ascending by day.
    func pageDigests(of types: [SampleType], utcDays days: DayRange) async throws -> [CalendarDay: [ContentDigest]]

    /// The pages of `types` that start on the UTC days of `days`, of all providers, packed; each with its provider.
    func pages(of types: [SampleType], utcDays days: DayRange) async throws -> [PackedPage]

    /// The longest sample of each type, in milliseconds: how far before a stretch one may start that reaches into it.
    func longestSample(of types: [SampleType]) async throws -> Int64

    /// First and last UTC day that have pages of `types`; `nil` without any.
    func dayExtent(of types: [SampleType]) async throws -> DayRange?

    /// Types that have pages, with their definitions as they were when stored.
    func storedTypes() async throws -> [SampleTypeDefinition]

    /// Types that have pages or once had some, with their definitions as they were last stored, by identifier: what a
    /// server was sent of a type outlives the type's last page.
    func knownTypes() async throws -> [SampleTypeDefinition]

    /// What is remembered of the source at `path`.
    func ingestedSource(path: String) async throws -> IngestedSource?

    /// Every source that is remembered, the one that was taken in last first, then by path.
    func ingestedSources() async throws -> [IngestedSource]
}

/// Changes to pages within one transaction of `SamplePageStore`. Not to be kept beyond it; what was put is read back at
/// once. What it throws is to be passed on, so that the transaction is rolled back.
package protocol SamplePageTransaction {
    /// Digests of all pages of `provider` and `types`.
    func digests(provider: String, types: [SampleType]) throws -> [SamplePageKey: ContentDigest]
    /// The page of `provider` at `key`.
    func page(provider: String, at key: SamplePageKey) throws -> PackedPage?
    /// Inserts or replaces the page; remembers `definition` for its type and the longest sample of the type.
    func put(_ page: PackedPage, provider: String, definition: SampleTypeDefinition, longestSample: Int64) throws
    /// Removes the page at `key`.
    func remove(provider: String, at key: SamplePageKey) throws
    /// The samples of the page's key that were deleted by a snapshot, packed, with that snapshot's export date.
    func tombstones(provider: String, at key: SamplePageKey) throws -> (page: PackedPage, exportDate: Instant)?
    /// Replaces the tombstones of the page's key; `nil` for none.
    func setTombstones(_ page: PackedPage?, provider: String, at key: SamplePageKey, exportDate: Instant) throws
    /// Keys that have tombstones.
    func tombstoneKeys(provider: String) throws -> Set<SamplePageKey>
    /// What is remembered of the complete snapshots of `provider` that were ingested, by line of exports.
    func snapshotDates(provider: String) throws -> [Int: SnapshotDates]
    /// Remembers `dates` of a line of exports, in the place of what was remembered of it.
    func setSnapshotDates(_ dates: SnapshotDates, provider: String, line: Int) throws
    /// Digests of what is noted of lines of exports of `provider`: of a page, what each line holds of it.
    func lineDigests(provider: String) throws -> [SamplePageKey: [Int: ContentDigest]]
    /// What each line of exports of `provider` holds of the page at `key`, as far as that is noted.
    func linePages(provider: String, at key: SamplePageKey) throws -> [Int: PackedPage]
    /// Notes what `line` holds of the page at `key`, whose type once had a page; `nil` for nothing.
    func setLinePage(_ page: PackedPage?, provider: String, at key: SamplePageKey, line: Int) throws
    /// Remembers a source read to its end; replaces what was remembered of its path.
    func remember(_ source: IngestedSource, isComplete: Bool) throws
}

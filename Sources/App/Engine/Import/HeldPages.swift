import HealthSyncDomain
import HealthSyncPorts

/// The samples of each lineage of one provider, for some types and within one transaction (decision 19).
///
/// A page without an entry belongs to the first lineage. Each page is changed at most once: digests are read at the
/// beginning and not again.
struct HeldPages {
    static let firstLineage = 0

    /// The numbers of the lineages, ascending.
    let lineages: [Int]
    /// The pages with tombstones.
    let tombstoneKeys: Set<SamplePageKey>
    private let provider: String
    private let transaction: any SamplePageTransaction
    private let dates: [Int: SnapshotDates]
    /// The digests of the stored pages of all lineages.
    private let stored: [SamplePageKey: ContentDigest]
    /// By lineage, the digests of the pages that do not belong to the first lineage alone.
    private let divided: [SamplePageKey: [Int: ContentDigest]]
    private let storedTypes: Set<SampleType>

    /// Export dates after `plausibleUntil` count as unknown.
    init(
        of provider: String, types: Set<SampleType>, plausibleUntil: Instant, in transaction: any SamplePageTransaction
    ) throws {
        self.provider = provider
        self.transaction = transaction
        stored = try transaction.digests(provider: provider, types: types.sorted())
        let allDivided = try transaction.lineageDigests(provider: provider)
        divided = allDivided.filter { types.contains($0.key.type) }
        storedTypes = Set(stored.keys.map(\.type))
        tombstoneKeys = try transaction.tombstoneKeys(provider: provider)
        dates = try transaction.snapshotDates(provider: provider).mapValues { $0.upTo(plausibleUntil) }
        var lineages = Set(dates.keys)
        for holders in allDivided.values { lineages.formUnion(holders.keys) }
        if stored.keys.contains(where: { allDivided[$0] == nil }) { lineages.insert(Self.firstLineage) }
        self.lineages = lineages.sorted()
    }

    /// Whether a lineage has an export with `type`.
    func isKnown(_ type: SampleType) -> Bool {
        storedTypes.contains(type) || dates.values.contains { $0[type] != nil }
    }

    /// The stored pages.
    var keys: some Sequence<SamplePageKey> { stored.keys }

    func hasTombstones(_ key: SamplePageKey) -> Bool { tombstoneKeys.contains(key) }

    func isDivided(_ key: SamplePageKey) -> Bool { divided[key] != nil }

    /// Returns the lineages other than `lineage` that have samples of a divided page.
    func holders(of key: SamplePageKey, but lineage: Int) -> [Int] {
        divided[key].map { $0.keys.filter { $0 != lineage } } ?? []
    }

    /// Returns the latest exports of `lineage`.
    func dates(of lineage: Int) -> SnapshotDates { dates[lineage] ?? SnapshotDates() }

    func storedDigest(at key: SamplePageKey) -> ContentDigest? { stored[key] }

    func digest(of lineage: Int, at key: SamplePageKey) -> ContentDigest? {
        if let holders = divided[key] { return holders[lineage] }
        return lineage == Self.firstLineage ? stored[key] : nil
    }

    /// Returns the digests of all pages of `lineage`.
    func digests(of lineage: Int) -> [SamplePageKey: ContentDigest] {
        guard lineage != Self.firstLineage || !divided.isEmpty else { return stored }
        var held = lineage == Self.firstLineage ? stored.filter { divided[$0.key] == nil } : [:]
        for (key, holders) in divided { held[key] = holders[lineage] }
        return held
    }

    /// Returns the page with the samples of `lineage`.
    func page(of lineage: Int, at key: SamplePageKey) throws -> PackedPage? {
        guard digest(of: lineage, at: key) != nil else { return nil }
        guard isDivided(key) else { return try transaction.page(provider: provider, at: key) }
        return try transaction.lineagePages(provider: provider, at: key)[lineage]
    }

    func samples(of lineage: Int, at key: SamplePageKey) throws -> SampleColumns {
        try page(of: lineage, at: key).map { try SamplePageCodec.decode($0.bytes, at: key) } ?? SampleColumns()
    }

    /// Returns the samples of a stored page of all lineages; empty if no sample has details.
    func detailed(at key: SamplePageKey) throws -> SampleColumns {
        guard let page = try transaction.page(provider: provider, at: key), SamplePageCodec.hasDetails(page.bytes)
        else {
            return SampleColumns()
        }
        return try SamplePageCodec.decode(page.bytes)
    }

    /// Returns the samples of a stored page of lineages other than `lineage`; empty if no sample has details.
    func detailed(at key: SamplePageKey, but lineage: Int) throws -> SampleColumns {
        guard isDivided(key) else { return lineage == Self.firstLineage ? SampleColumns() : try detailed(at: key) }
        return try holders(of: key, but: lineage).reduce(into: SampleColumns()) {
            $0.append(try samples(of: $1, at: key))
        }
    }

    /// Returns a stored page with the lineages of its samples.
    func content(of key: SamplePageKey, for lineage: Int, upsert: SampleColumns.Upsert) throws -> PageMerge.Content {
        guard stored[key] != nil, let page = try transaction.page(provider: provider, at: key) else {
            return PageMerge.Content()
        }
        let all = try SamplePageCodec.decode(page.bytes, at: key)
        guard isDivided(key) else {
            return lineage == Self.firstLineage
                ? PageMerge.Content(stored: all, own: all) : PageMerge.Content(stored: all, others: all)
        }
        var content = PageMerge.Content(stored: all)
        for (holder, page) in try transaction.lineagePages(provider: provider, at: key).sorted(by: { $0.key < $1.key })
        {
            let columns = try SamplePageCodec.decode(page.bytes, at: key)
            if holder == lineage { content.own = columns } else { content.others.append(columns) }
        }
        content.others = content.others.normalized(upsert).columns
        return content
    }

    /// Returns the tombstones of a page, with the date of the latest export that deleted samples.
    func tombstones(at key: SamplePageKey) throws -> (columns: SampleColumns, exportDate: Instant)? {
        guard hasTombstones(key), let found = try transaction.tombstones(provider: provider, at: key)
        else { return nil }
        return (try SamplePageCodec.decode(found.page.bytes, at: key), found.exportDate)
    }
}

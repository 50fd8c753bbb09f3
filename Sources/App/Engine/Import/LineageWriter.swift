import HealthSyncDomain
import HealthSyncPorts

/// Updates the stored pages to the content of a snapshot or feed of one lineage.
struct LineageWriter {
    let arriving: ArrivingPages
    let held: HeldPages
    let versions: SampleVersions
    let lineage: Int
    let transaction: any SamplePageTransaction

    private var provider: String { arriving.provider }

    /// Stores the new samples of a page. They are decoded only if they must be merged.
    func take(_ page: ArrivingPage, counts: inout ArrivingPages.Counts) throws {
        if let (bytes, content) = page.whole, try take(bytes, content, of: page, counts: &counts) { return }
        try take(try page.samples(), at: page.key, page.definition, counts: &counts)
    }

    /// Stores an encoded page that is new, and skips one that is stored already. Returns false if it must be merged.
    private func take(
        _ bytes: [UInt8], _ content: PageFragment.Content, of page: ArrivingPage, counts: inout ArrivingPages.Counts
    ) throws -> Bool {
        let key = page.key
        let stored = held.storedDigest(at: key)
        guard !versions.concern(key), !held.hasTombstones(key),
            stored == nil || held.digest(of: lineage, at: key) != nil
        else { return false }
        let digest = arriving.hasher.pageDigest(of: bytes, at: key)
        if stored != nil {
            guard held.digest(of: lineage, at: key) == digest else { return false }
            counts.known += content.summary.count
            counts.kept += content.summary.count
            return true
        }
        let latest = held.dates(of: lineage)[key.type]
        guard lineage == HeldPages.firstLineage, arriving.deletes(after: latest) || !arriving.mayOmit(after: latest)
        else {
            return false
        }
        try transaction.put(
            PackedPage(key: key, summary: content.summary, bytes: bytes, digest: digest), provider: provider,
            definition: page.definition, longestSample: content.longestSample)
        counts.added += content.summary.count
        counts.pagesWritten += 1
        counts.changed?.updateValue(content.summary, forKey: key)
        return true
    }

    /// Merges the new samples of a page; a snapshot that no longer contains the page has no samples. A change stream
    /// deletes stored samples (`removing`).
    func take(
        _ samples: SampleColumns, at key: SamplePageKey, _ definition: SampleTypeDefinition,
        removing deleted: DeletedSampleRows? = nil, counts: inout ArrivingPages.Counts
    ) throws {
        let upsert = arriving.upsert(at: key)
        let (samples, outranked) = versions.counting(samples, at: key)
        counts.known += outranked
        let arrived = samples.normalized(upsert)
        let outdated = versions.outdated[key]
        let digest = held.digest(of: lineage, at: key)
        if digest != nil, outdated == nil, deleted == nil, !held.hasTombstones(key),
            arriving.packed(arrived.columns, at: key)?.digest == digest
        {
            counts.known += samples.count
            counts.kept += arrived.columns.count
            return
        }
        var content = try held.content(of: key, for: lineage, upsert: upsert)
        if let outdated {
            content.remove(outdated)
            try forget(outdated, at: key)
        }
        if let deleted {
            let before = content.own.count
            content.remove(deleted)
            counts.deleted += before - content.own.count
        }
        let tombstones = try held.tombstones(at: key)
        let fresh = arriving.aligned(
            arrived.columns, to: content.stored, tombstones: tombstones?.columns, upsert: upsert)
        let authority = authority(of: fresh, over: content.own, tombstones: tombstones?.columns, at: key)
        let merge = PageMerge(
            content, fresh: fresh, repeated: arrived.repeated, authority: authority, upsert: upsert)
        counts.added += merge.added
        counts.known += merge.known
        counts.corrected += merge.corrected
        counts.superseded += merge.superseded
        counts.deleted += merge.deleted.count
        counts.lost += merge.lost
        counts.kept += content.own.count - merge.lost
        try write(merge, at: key, definition, counts: &counts)
        try writeTombstones(merge, over: tombstones, at: key)
        try noteHolders(merge.own, of: content.stored, at: key)
    }

    private func authority(
        of fresh: SampleColumns, over own: SampleColumns, tombstones: SampleColumns?, at key: SamplePageKey
    ) -> PageMerge.Authority {
        let latest = held.dates(of: lineage)[key.type]
        if arriving.deletes(after: latest), let exportDate = arriving.exportDate { return .replaces(until: exportDate) }
        return .adds(omitted: arriving.omitted(from: fresh, own: own, tombstones: tombstones, latest: latest))
    }

    /// Removes replaced samples from the pages of other lineages.
    private func forget(_ outdated: SampleVersions.Outdated, at key: SamplePageKey) throws {
        for holder in held.holders(of: key, but: lineage) {
            let before = try held.samples(of: holder, at: key)
            let after = before.without(outdated)
            guard after.count < before.count else { continue }
            try transaction.setLineagePage(
                arriving.packed(after, at: key), provider: provider, at: key, lineage: holder)
        }
    }

    private func write(
        _ merge: PageMerge, at key: SamplePageKey, _ definition: SampleTypeDefinition,
        counts: inout ArrivingPages.Counts
    ) throws {
        guard let page = arriving.packed(merge.columns, at: key) else {
            guard held.storedDigest(at: key) != nil else { return }
            try transaction.remove(provider: provider, at: key)
            counts.changed?.updateValue(nil, forKey: key)
            return
        }
        guard page.digest != held.storedDigest(at: key) else { return }
        try transaction.put(
            page, provider: provider, definition: definition, longestSample: merge.columns.durations.max() ?? 0)
        counts.pagesWritten += 1
        counts.changed?.updateValue(page.summary, forKey: key)
    }

    /// Adds the samples that the merge deleted to the tombstones of the page, and removes those that are stored again.
    private func writeTombstones(
        _ merge: PageMerge, over tombstones: (columns: SampleColumns, exportDate: Instant)?, at key: SamplePageKey
    ) throws {
        let earlier = tombstones?.columns ?? SampleColumns()
        var all = earlier.subtracting(merge.columns)
        guard !merge.deleted.isEmpty || all.count != earlier.count else { return }
        guard let date = [arriving.exportDate, tombstones?.exportDate].compactMap({ $0 }).max() else { return }
        all.append(merge.deleted)
        try transaction.setTombstones(
            arriving.packed(all.normalized().columns, at: key), provider: provider, at: key, exportDate: date)
    }

    /// Records which samples of a page belong to the lineage, unless the page belongs to the first lineage alone.
    private func noteHolders(_ own: SampleColumns, of stored: SampleColumns, at key: SamplePageKey) throws {
        let isDivided = held.isDivided(key)
        guard isDivided || lineage != HeldPages.firstLineage && !own.isEmpty else { return }
        if !isDivided, let page = arriving.packed(stored, at: key) {
            try transaction.setLineagePage(page, provider: provider, at: key, lineage: HeldPages.firstLineage)
        }
        let page = arriving.packed(own, at: key)
        guard page?.digest != held.digest(of: lineage, at: key) || !isDivided else { return }
        try transaction.setLineagePage(page, provider: provider, at: key, lineage: lineage)
        if page == nil, held.holders(of: key, but: lineage) == [HeldPages.firstLineage] {
            try transaction.setLineagePage(nil, provider: provider, at: key, lineage: HeldPages.firstLineage)
        }
    }
}

/// How a snapshot relates to the samples of one lineage (decision 19).
struct LineageMatch {
    let lineage: Int
    /// Whether the lineage has an export of the same date: both are then parts of one snapshot.
    let isOfSameDate: Bool
    /// Samples that both contain.
    private(set) var shared = 0
    private var arriving = 0
    private var held = 0
    /// By type, the samples of the earlier of the two, and how many of them the later one lacks.
    private var earlier = 0
    private var lacking = 0
    /// Whether the lineage has no later export of any type.
    private var isLater = true

    init(lineage: Int, isOfSameDate: Bool) {
        self.lineage = lineage
        self.isOfSameDate = isOfSameDate
    }

    /// Whether the snapshot belongs to the lineage: the later of the two lacks at most a fifth of the earlier one. A
    /// later one that lacks more, but has a fifth of the lineage or shares a fifth of its own samples, may belong to it
    /// with too many deletions, and so may an empty one: the user has to decide.
    var isSameLineage: Bool {
        isOfSameDate || lacking * 5 <= earlier || isLater && shared * 5 >= min(arriving, held)
    }

    /// Counts a page: the new samples, those of the lineage, and the deleted ones. If the latest export of the type in
    /// the lineage is the later one, it covers what starts before `latest`.
    mutating func count(
        _ fresh: SampleColumns, held own: SampleColumns, tombstones: SampleColumns, supersededUntil latest: Instant?
    ) {
        let missing = fresh.subtracting(own)
        shared += fresh.count - missing.count
        arriving += fresh.count
        held += own.count
        if let latest {
            isLater = false
            earlier += fresh.count
            lacking += missing.subtracting(tombstones).starts.count { $0 <= latest.milliseconds }
        } else {
            earlier += own.count
            lacking += own.count - (fresh.count - missing.count)
        }
    }

    /// Counts a page without new samples.
    mutating func countUnseen(_ count: Int, isSuperseded: Bool) {
        held += count
        guard !isSuperseded else { return }
        earlier += count
        lacking += count
    }

    /// Whether `left` is a worse match than `right`; the older lineage wins a tie.
    static func isWorse(_ left: LineageMatch, _ right: LineageMatch) -> Bool {
        (left.isSameLineage ? 1 : 0, left.shared, -left.lineage) < (
            right.isSameLineage ? 1 : 0, right.shared, -right.lineage
        )
    }
}

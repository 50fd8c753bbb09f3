import HealthSyncDomain
import HealthSyncPorts

/// The samples of one snapshot or feed on their way into the store, within one transaction.
struct ArrivingPages: Sendable {
    let sources: [IngestedSource]
    let readings: [AssembledSamples]
    let provider: String
    let semantics: SourceSemantics
    let isComplete: Bool
    let exportDate: Instant?
    /// The types that were asked for: only their pages may be deleted.
    let types: [SampleType]
    /// Whether every type there is was asked for.
    let hasAllTypes: Bool
    let allowDeletions: Bool
    let hasher: any ContentHasher

    struct Counts: Sendable {
        var added = 0
        var known = 0
        var deleted = 0
        /// Samples that were stored before and still are.
        var kept = 0
        var pagesWritten = 0
        /// Samples of an older snapshot that a newer one lacks, and that are left out.
        var superseded = 0
        /// The same where they are too many to have been deleted, and are kept.
        var besideNewer = 0
    }

    func store(in transaction: any SamplePageTransaction) throws -> Counts {
        let pages = PageSequence(readings)
        let dates = try transaction.snapshotDates(provider: provider)
        let allTypes = Array(Set(types).union(readings.flatMap(\.deliveredTypes)))
        var unseen = try transaction.digests(provider: provider, types: allTypes)
        let isFirst = unseen.isEmpty
        let withTombstones = try transaction.tombstoneKeys(provider: provider)
        var counts = Counts()
        func arrival(
            _ key: SamplePageKey, _ definition: SampleTypeDefinition, _ arriving: SampleColumns, leavesOut: Bool
        ) -> Arrival {
            let latest = dates[key.type]
            return Arrival(
                key: key, definition: definition, samples: arriving, storedDigest: isFirst ? nil : unseen[key],
                replaces: deletes(after: latest), hasTombstones: withTombstones.contains(key),
                isOutdated: isOlder(than: latest), spokenOfUntil: leavesOut && isSuperseded(by: latest) ? latest : nil)
        }
        var leavesOut = true
        if !allowDeletions, allTypes.contains(where: { isSuperseded(by: dates[$0]) }) {
            var all = 0
            var lacking = 0
            try pages.forEach { key, definition, arriving in
                guard isSuperseded(by: dates[key.type]) else { return }
                all += arriving.count
                lacking += try lackingInNewer(
                    arrival(key, definition, arriving, leavesOut: true), in: transaction
                ).count
            }
            // Like a snapshot that lacks more than a fifth of what is stored: probably not the same history.
            leavesOut = lacking * 5 <= all
            if !leavesOut { counts.besideNewer = lacking }
        }
        try pages.forEach { key, definition, arriving in
            let arrival = arrival(key, definition, arriving, leavesOut: leavesOut)
            unseen[key] = nil
            try take(arrival, into: transaction, counts: &counts)
        }
        let deleted = unseen.keys.filter { deletes(after: dates[$0.type]) }
        try removeUnseen(deleted, from: transaction, counts: &counts)
        try refuseSuspiciousDeletion(counts)
        try remember(in: transaction)
        return counts
    }

    private func remember(in transaction: any SamplePageTransaction) throws {
        guard isComplete else { return }
        for source in sources { try transaction.remember(source, isComplete: true) }
        guard semantics == .snapshot, let exportDate else { return }
        let chosen = hasAllTypes ? [] : types
        try transaction.noteSnapshot(
            provider: provider,
            SnapshotDates(
                chosen: Dictionary(chosen.map { ($0, exportDate) }, uniquingKeysWith: { first, _ in first }),
                all: hasAllTypes ? exportDate : nil))
    }

    private struct Arrival {
        let key: SamplePageKey
        let definition: SampleTypeDefinition
        let samples: SampleColumns
        let storedDigest: ContentDigest?
        let replaces: Bool
        let hasTombstones: Bool
        /// Whether a newer complete snapshot was taken in for the type before.
        let isOutdated: Bool
        /// Up to when that snapshot says what there is: what it lacks is left out.
        let spokenOfUntil: Instant?
    }

    /// Whether what is stored of a type and lacking here was deleted, where the latest snapshot of the type was `latest`.
    private func deletes(after latest: Instant?) -> Bool {
        guard semantics == .snapshot, isComplete, let exportDate else { return false }
        return latest.map { $0 < exportDate } ?? true
    }

    /// Whether that snapshot says of the type what there is now.
    private func isSuperseded(by latest: Instant?) -> Bool {
        guard semantics == .snapshot, let exportDate, let latest else { return false }
        return exportDate < latest
    }

    private func isOlder(than latest: Instant?) -> Bool {
        guard let latest else { return false }
        return exportDate.map { $0 < latest } ?? true
    }

    private func take(
        _ arrival: Arrival, into transaction: any SamplePageTransaction, counts: inout Counts
    ) throws {
        let upsert: SampleColumns.Upsert = arrival.key.origin.isPreAggregated ? .byBucket : .byContent
        if arrival.storedDigest != nil, !arrival.hasTombstones,
            packed(arrival.samples.normalized(upsert).columns, at: arrival.key)?.digest == arrival.storedDigest
        {
            counts.known += arrival.samples.count
            counts.kept += arrival.samples.normalized(upsert).columns.count
            return
        }
        let stored = try storedSamples(arrival, in: transaction)
        let buried = arrival.hasTombstones ? try transaction.tombstones(provider: provider, at: arrival.key) : nil
        let tombstones = try buried.map { try SamplePageCodec.decode($0.page.bytes) } ?? SampleColumns()
        // What is buried was lacking in the newest complete snapshot, whichever deleted it: older ones cannot revive it.
        var withheld = arrival.isOutdated && semantics == .snapshot ? tombstones : SampleColumns()
        let lacking = try lackingInNewer(arrival, in: transaction)
        withheld.append(lacking)
        counts.superseded += lacking.count
        let merge = PageMerge(
            stored: stored, arriving: arrival.samples, tombstones: withheld.normalized().columns,
            authority: arrival.replaces ? .replaces : .adds, upsert: upsert)
        counts.added += merge.added
        counts.known += merge.known
        counts.deleted += merge.deleted.count
        counts.kept += stored.count - merge.deleted.count
        let remaining = tombstones.subtracting(merge.columns)
        if !merge.deleted.isEmpty || remaining.count != tombstones.count {
            try bury(
                merge.deleted, adding: remaining, since: buried?.exportDate, at: arrival.key, in: transaction)
        }
        guard let page = packed(merge.columns, at: arrival.key), page.digest != arrival.storedDigest else { return }
        try transaction.put(
            page, provider: provider, definition: arrival.definition,
            longestSample: merge.columns.durations.max() ?? 0)
        counts.pagesWritten += 1
    }

    /// The samples that are neither stored nor buried although a newer snapshot says what there is.
    private func lackingInNewer(
        _ arrival: Arrival, in transaction: any SamplePageTransaction
    ) throws -> SampleColumns {
        guard let until = arrival.spokenOfUntil else { return SampleColumns() }
        let fresh = arrival.samples.normalized().columns.subtracting(try storedSamples(arrival, in: transaction))
        let buried = arrival.hasTombstones ? try transaction.tombstones(provider: provider, at: arrival.key) : nil
        let lacking = fresh.subtracting(try buried.map { try SamplePageCodec.decode($0.page.bytes) } ?? SampleColumns())
        return lacking.selecting(lacking.starts.indices.filter { lacking.starts[$0] <= until.milliseconds })
    }

    private func storedSamples(
        _ arrival: Arrival, in transaction: any SamplePageTransaction
    ) throws -> SampleColumns {
        guard arrival.storedDigest != nil, let page = try transaction.page(provider: provider, at: arrival.key)
        else { return SampleColumns() }
        return try SamplePageCodec.decode(page.bytes)
    }

    private func removeUnseen(
        _ keys: [SamplePageKey], from transaction: any SamplePageTransaction, counts: inout Counts
    ) throws {
        // What starts after the export date is beyond what the snapshot speaks of.
        guard let exportDate else { return }
        for key in keys {
            guard let page = try transaction.page(provider: provider, at: key) else { continue }
            guard page.summary.firstStart <= exportDate else {
                counts.kept += page.summary.count
                continue
            }
            let columns = try SamplePageCodec.decode(page.bytes)
            counts.deleted += columns.count
            let buried = try transaction.tombstones(provider: provider, at: key)
            let earlier = try buried.map { try SamplePageCodec.decode($0.page.bytes) } ?? SampleColumns()
            try bury(columns, adding: earlier, since: buried?.exportDate, at: key, in: transaction)
            try transaction.remove(provider: provider, at: key)
        }
    }

    private func bury(
        _ deleted: SampleColumns, adding earlier: SampleColumns, since buried: Instant?, at key: SamplePageKey,
        in transaction: any SamplePageTransaction
    ) throws {
        guard let date = [exportDate, buried].compactMap({ $0 }).max() else { return }
        var all = earlier
        all.append(deleted)
        try transaction.setTombstones(
            packed(all.normalized().columns, at: key), provider: provider, at: key, exportDate: date)
    }

    private func packed(_ columns: SampleColumns, at key: SamplePageKey) -> PackedPage? {
        guard let summary = SamplePageSummary(of: columns) else { return nil }
        let bytes = SamplePageCodec.encode(columns, day: key.day)
        let whose = "\(key.type.rawValue)\u{1F}\(key.origin.canonicalText)"
        return PackedPage(
            key: key, summary: summary, bytes: bytes,
            digest: hasher.digest(hasher.digest(bytes).bytes + Array(whose.utf8)))
    }

    private func refuseSuspiciousDeletion(_ counts: Counts) throws {
        let before = counts.kept + counts.deleted
        guard !allowDeletions, counts.deleted * 5 > before else { return }
        throw SyncFailure(
            .tooManyDeletions, subject: sources.map(\.fingerprint.path).joined(separator: ", "),
            reason: "this export lacks \(counts.deleted) of the \(before) samples that are stored,"
                + " so it may be somebody else's; nothing was changed",
            advice: "run again with --allow-deletions if it is yours")
    }
}

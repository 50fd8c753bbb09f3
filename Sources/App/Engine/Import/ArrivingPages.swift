import HealthSyncDomain
import HealthSyncPorts

/// The samples of one snapshot or feed that are being imported in one transaction.
struct ArrivingPages: Sendable {
    let sources: [ImportedSource]
    let readings: [AssembledSamples]
    /// What the sources state about themselves: deletions, windows.
    let reading: SourceReading
    let provider: String
    let semantics: SourceSemantics
    let isComplete: Bool
    /// When the snapshot was made; `nil` if unknown or implausible.
    let exportDate: Instant?
    /// Later export dates are implausible.
    let plausibleUntil: Instant
    /// The selected types: only their pages may be deleted.
    let types: [SampleTypeDefinition]
    /// Whether every type was selected.
    let hasAllTypes: Bool
    let allowDeletions: Bool
    let force: Bool
    let hasher: any ContentHasher
    /// The user's calendar days.
    let clock: DayClock
    let time: any TimeSource

    struct Counts: Sendable {
        var added = 0
        var known = 0
        var corrected = 0
        var deleted = 0
        /// Samples that the lineage contained before and still contains.
        var kept = 0
        /// Samples that the lineage contained and no longer contains.
        var lost = 0
        var pagesWritten = 0
        /// The pages that were written, with their summary, and those that were removed; `nil` if nobody needs them.
        var changed: [SamplePageKey: SamplePageSummary?]?
        /// Samples of an older snapshot that a newer one lacks, and that are not stored.
        var superseded = 0
        /// Sums of a part of an interval whose whole sum a feed stated before.
        var clipped = 0
        /// Samples of the first snapshot of a lineage, of types that other lineages have too.
        var keptDespiteNewer = 0
    }

    /// Thrown if so many samples of the lineage are missing that the export may belong to another one.
    struct LineageMismatch: Error {}

    /// Imports the samples. Throws `LineageMismatch` unless `comparing`.
    func store(in transaction: any SamplePageTransaction, comparing: Bool) throws -> Counts {
        let held = try HeldPages(
            of: provider, types: Set(types.map(\.type)).union(readings.flatMap(\.deliveredTypes)),
            plausibleUntil: plausibleUntil, in: transaction)
        let pages = PageSequence(StoredOrigins.kept(readings, held: held))
        let (lineage, isNew) = try lineage(of: pages, among: held, comparing: comparing)
        let versions = try SampleVersions(
            arriving: pages, held: held, lineage: lineage, isWhole: { deletes(after: held.dates(of: lineage)[$0]) },
            reach: semantics == .changes ? 2 : nil, hasher: hasher)
        let writer = LineageWriter(
            arriving: self, held: held, versions: versions, lineage: lineage, transaction: transaction)
        let deletions =
            semantics == .changes
            ? try StreamDeletions(
                reading, provider: provider, pages: pages, held: held, isSelected: isSelected, transaction: transaction)
            : nil
        let unsent = UnsentSampleCheck(
            provider: provider, isFeed: semantics != .snapshot, clock: clock, transaction: transaction)
        let feed =
            semantics == .feed
            ? try FeedVersions(
                reading, moved: MovedLocalTimes(arriving: pages, reading, held: held, clock: clock, time: time),
                provider: provider, held: held, now: time.now(), transaction: transaction) : nil
        var counts = Counts()
        if try unsent.isNeeded { counts.changed = [:] }
        let removals = deletions?.rows ?? feed?.removals ?? [:]
        var outdated = Set(versions.outdated.keys).union(removals.keys)
        var unseen = held.digests(of: lineage)
        try pages.forEach { page in
            unseen[page.key] = nil
            outdated.remove(page.key)
            let before = counts.added
            try take(page, by: writer, deletions, feed, counts: &counts)
            if isNew, held.isKnown(page.key.type) { counts.keptDespiteNewer += counts.added - before }
        }
        outdated.subtract(try removeUnseen(Set(unseen.keys), by: writer, counts: &counts))
        try removeOutdated(at: outdated, by: writer, removals, counts: &counts)
        try deletions?.rememberAbsent()
        try feed?.remember()
        if !allowDeletions, counts.lost * 5 > counts.kept + counts.lost {
            guard comparing else { throw LineageMismatch() }
            throw suspiciousDeletion(counts)
        }
        try remember(held.dates(of: lineage), of: lineage, in: transaction)
        if var changed = counts.changed {
            for key in deletions?.notedKeys ?? [] where changed[key] == nil { changed.updateValue(nil, forKey: key) }
            try unsent.update(changed)
        }
        return counts
    }

    /// Removes the samples on stored pages that a snapshot no longer contains. Returns the keys of these pages.
    private func removeUnseen(
        _ keys: Set<SamplePageKey>, by writer: LineageWriter, counts: inout Counts
    ) throws -> Set<SamplePageKey> {
        let definitions = Dictionary(types.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })
        let latest = writer.held.dates(of: writer.lineage)
        let removed = keys.filter { deletes(after: latest[$0.type]) && definitions[$0.type] != nil }
        for key in removed {
            guard let definition = definitions[key.type] else { continue }
            try writer.take(SampleColumns(), at: key, definition, counts: &counts)
        }
        return removed
    }

    /// Removes the samples on stored pages of which no page arrived, and which arriving samples replaced or a change
    /// stream deleted.
    private func removeOutdated(
        at keys: Set<SamplePageKey>, by writer: LineageWriter, _ removals: [SamplePageKey: DeletedSampleRows],
        counts: inout Counts
    ) throws {
        let delivered = readings.flatMap(\.tables.types) + types
        let deleted = counts.deleted
        for key in keys {
            guard let definition = delivered.first(where: { $0.type == key.type }) else { continue }
            try writer.take(SampleColumns(), at: key, definition, removing: removals[key], counts: &counts)
        }
        // A correction is not a deletion.
        if semantics == .feed { counts.deleted = deleted }
    }

    /// Whether samples of the type are read.
    private func isSelected(_ type: SampleType) -> Bool { hasAllTypes || types.contains { $0.type == type } }

    /// Stores a page, without what a change stream deleted or newer deliveries of a feed replaced.
    private func take(
        _ page: ArrivingPage, by writer: LineageWriter, _ deletions: StreamDeletions?, _ feed: FeedVersions?,
        counts: inout Counts
    ) throws {
        if let feed, feed.concern(page) || writer.held.storedDigest(at: page.key) != nil {
            return try take(page, by: writer, feed, counts: &counts)
        }
        guard let deletions else { return try writer.take(page, counts: &counts) }
        let samples = try page.samples()
        let alive = try deletions.alive(samples, at: page.key)
        counts.known += samples.count - alive.count
        try writer.take(alive, at: page.key, page.definition, removing: deletions.rows[page.key], counts: &counts)
    }

    /// Stores a page of a feed, without what newer deliveries replaced.
    private func take(
        _ page: ArrivingPage, by writer: LineageWriter, _ feed: FeedVersions, counts: inout Counts
    ) throws {
        let stored = try writer.held.samples(of: HeldPages.firstLineage, at: page.key)
        let current = try feed.current(page, stored: stored)
        let (added, deleted) = (counts.added, counts.deleted)
        try writer.take(
            current.samples, at: page.key, page.definition,
            removing: current.replaced.isEmpty ? nil : current.replaced, counts: &counts)
        // A sample that takes the place of a stored one is not new, and a correction is not a deletion.
        let restated = min(counts.added - added, counts.deleted - deleted)
        counts.added -= restated
        counts.known += restated + current.outdated
        counts.corrected += max(0, restated - current.repeated)
        counts.clipped += current.clipped
        counts.deleted = deleted
    }

    private func remember(
        _ dates: SnapshotDates, of lineage: Int, in transaction: any SamplePageTransaction
    ) throws {
        guard isComplete else { return }
        for source in sources { try transaction.remember(source, isComplete: true) }
        guard semantics == .snapshot, let exportDate else { return }
        let chosen = hasAllTypes ? [] : types.map { ($0.type, exportDate) }
        var dates = dates
        dates.formUnion(
            SnapshotDates(
                chosen: Dictionary(chosen, uniquingKeysWith: { first, _ in first }),
                all: hasAllTypes ? exportDate : nil))
        try transaction.setSnapshotDates(dates, provider: provider, lineage: lineage)
    }

    /// Whether a stored sample of a type that is missing here was deleted. `latest` is the latest snapshot of the type.
    func deletes(after latest: Instant?) -> Bool {
        guard semantics == .snapshot, isComplete, let exportDate else { return false }
        return latest.map { $0 < exportDate } ?? true
    }

    /// Whether the snapshot contains the present state of the type.
    private func isSuperseded(by latest: Instant?) -> Bool {
        guard semantics == .snapshot, let exportDate, let latest else { return false }
        return exportDate < latest
    }

    /// Whether a snapshot that does not delete may skip new samples. `latest` is the latest snapshot of the type.
    func mayOmit(after latest: Instant?) -> Bool {
        guard semantics == .snapshot, let latest else { return false }
        return exportDate.map { $0 < latest } ?? true
    }

    /// Returns the part of `fresh` to skip in a snapshot that does not delete. `latest` is the latest snapshot of the
    /// type.
    func omitted(
        from fresh: SampleColumns, own: SampleColumns, tombstones: SampleColumns?, latest: Instant?
    ) -> SampleColumns {
        guard let latest, mayOmit(after: latest) else { return SampleColumns() }
        // A tombstone means that the newest complete snapshot lacked the sample; an older snapshot cannot restore it.
        var omitted = tombstones ?? SampleColumns()
        if isSuperseded(by: latest) {
            let lacking = fresh.subtracting(own)
            omitted.append(
                lacking.selecting(lacking.starts.indices.filter { lacking.starts[$0] <= latest.milliseconds }))
        }
        return omitted.normalized().columns
    }

    /// Returns the samples with the values of stored and of deleted ones that are the same measurements, written in
    /// another unit.
    func aligned(
        _ fresh: SampleColumns, to stored: SampleColumns, tombstones: SampleColumns?, upsert: SampleColumns.Upsert
    ) -> SampleColumns {
        guard upsert == .byContent else { return fresh }
        var known = stored
        if let tombstones {
            known.append(tombstones)
            known = known.normalized(upsert).columns
        }
        return fresh.aligned(to: known, isExport: semantics == .snapshot)
    }

    func upsert(at key: SamplePageKey) -> SampleColumns.Upsert {
        key.origin.isPreAggregated ? .byBucket : .byContent
    }

    func packed(_ columns: SampleColumns, at key: SamplePageKey) -> PackedPage? {
        guard let summary = SamplePageSummary(of: columns) else { return nil }
        let bytes = SamplePageCodec.encode(columns, day: key.day)
        return PackedPage(
            key: key, summary: summary, bytes: bytes, digest: hasher.pageDigest(of: bytes, at: key))
    }

    private func suspiciousDeletion(_ counts: Counts) -> SyncFailure {
        SyncFailure(
            .tooManyDeletions, subject: sources.map(\.fingerprint.path).joined(separator: ", "),
            reason: "this export lacks \(counts.lost) of the \(counts.kept + counts.lost) samples that are stored,"
                + " so it may be another user's; nothing was changed",
            advice: "run again with --allow-deletions if it is yours")
    }
}

extension ArrivingPages {
    /// Returns the lineage that the samples belong to, and whether they begin it next to other lineages.
    ///
    /// Samples are compared only in case of doubt: without `comparing`, an export that follows the only lineage counts
    /// as its next export until it turns out to lack too much (`LineageMismatch`).
    private func lineage(
        of pages: PageSequence, among held: HeldPages, comparing: Bool
    ) throws -> (number: Int, isNew: Bool) {
        guard semantics == .snapshot, let first = held.lineages.first, let last = held.lineages.last else {
            return (HeldPages.firstLineage, false)
        }
        let mustBeKnown = allowDeletions || !isComplete
        if held.lineages.count == 1, mustBeKnown || !comparing && continues(held.dates(of: first)) {
            return (first, false)
        }
        guard let best = try matches(of: pages, among: held).max(by: LineageMatch.isWorse) else {
            return (first, false)
        }
        return mustBeKnown || best.isSameLineage ? (best.lineage, false) : (last + 1, true)
    }

    /// Whether no selected type was read from a later export.
    private func continues(_ dates: SnapshotDates) -> Bool {
        guard let exportDate else { return false }
        return types.allSatisfy { dates[$0.type].map { $0 <= exportDate } ?? true }
    }

    private func matches(of pages: PageSequence, among held: HeldPages) throws -> [LineageMatch] {
        var matches = held.lineages.map { lineage in
            LineageMatch(
                lineage: lineage, isOfSameDate: exportDate.map { held.dates(of: lineage).contains($0) } ?? false)
        }
        var unseen = held.lineages.map { held.digests(of: $0) }
        let heldTypes = unseen.map { Set($0.keys.map(\.type)) }
        try pages.forEach { page in
            let key = page.key
            let fresh = try page.samples().normalized(upsert(at: key)).columns
            let digest = packed(fresh, at: key)?.digest
            // The user allowed deletions: the missing samples count as deleted.
            let tombstones = force ? nil : try held.tombstones(at: key)
            for place in matches.indices {
                let lineage = matches[place].lineage
                let latest = held.dates(of: lineage)[key.type]
                let isSame = unseen[place].removeValue(forKey: key) == digest
                let own = isSame ? fresh : try held.samples(of: lineage, at: key)
                guard latest != nil || heldTypes[place].contains(key.type) else { continue }
                let aligned =
                    isSame
                    ? fresh
                    : self.aligned(fresh, to: own, tombstones: tombstones?.columns, upsert: upsert(at: key))
                matches[place].count(
                    aligned, held: own,
                    tombstones: tombstones?.columns ?? SampleColumns(),
                    supersededUntil: isSuperseded(by: latest) ? latest : nil)
            }
        }
        for place in matches.indices {
            let lineage = matches[place].lineage
            for key in unseen[place].keys {
                guard let page = try held.page(of: lineage, at: key)?.summary,
                    exportDate.map({ page.firstStart <= $0 }) ?? true
                else { continue }
                matches[place].countUnseen(
                    page.count, isSuperseded: isSuperseded(by: held.dates(of: lineage)[key.type]))
            }
        }
        return matches
    }
}

/// The origins under which samples of an input are stored.
///
/// Earlier versions stored devices of Health Connect without their type, and the origin is a part of the id of a sample.
/// So a device that is stored without a type keeps its origin: with another one, each sample that the app sends again
/// would be stored twice.
private struct StoredOrigins {
    private struct Recorder: Hashable {
        var sourceName: ExactText
        var device: ExactText

        init(_ sourceName: String, _ device: String) {
            (self.sourceName, self.device) = (ExactText(sourceName), ExactText(device))
        }
    }

    /// Returns the readings with the stored origins of devices whose type is stated.
    static func kept(_ readings: [AssembledSamples], held: HeldPages) -> [AssembledSamples] {
        let arriving = readings.flatMap(\.tables.origins)
        guard arriving.contains(where: { DeviceText.withoutType($0.device) != nil }) else { return readings }
        let stored = Set(held.keys.map { Recorder($0.origin.sourceName, $0.origin.device) })
        // Posts of the former and of the present form may be imported together.
        let known = stored.union(arriving.map { Recorder($0.sourceName, $0.device) })
        return readings.map { reading in
            var reading = reading
            reading.tables.origins = reading.tables.origins.map { origin in
                guard let device = DeviceText.withoutType(origin.device),
                    !stored.contains(Recorder(origin.sourceName, origin.device)),
                    known.contains(Recorder(origin.sourceName, device))
                else { return origin }
                return SampleOrigin(
                    sourceName: origin.sourceName, device: device, isUserEntered: origin.isUserEntered,
                    isPreAggregated: origin.isPreAggregated)
            }
            return reading
        }
    }
}

/// The new samples of one page.
struct ArrivingPage {
    let key: SamplePageKey
    let definition: SampleTypeDefinition
    /// The fragments in the order of reading, at least one.
    let fragments: [PageFragment]

    /// The only fragment if it is encoded as the page would be.
    var whole: (bytes: [UInt8], content: PageFragment.Content)? {
        guard fragments.count == 1, let content = fragments[0].canonical else { return nil }
        return (fragments[0].bytes, content)
    }

    /// Decodes the samples, in the order of reading.
    func samples() throws -> SampleColumns {
        var columns = SampleColumns()
        for fragment in fragments {
            let decoded = try SamplePageCodec.decode(fragment.bytes)
            if columns.isEmpty { columns = decoded } else { columns.append(decoded) }
        }
        return columns
    }
}

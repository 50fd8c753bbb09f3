import HealthSyncDomain

/// The samples of a group that belong to one series: decides which are new and which replace others, and writes them.
///
/// The steps, each of which may need statements, are: bring the index up to date, look up the pages that may contain
/// sent ids, decide, load the pages to be rewritten, write.
struct SeriesWrite {
    private typealias Revision = (revision: Int64, isDeleted: Bool)
    private struct Replacement {
        var sample: ReceivedSample
        var origin: Int64
    }

    private let state: SeriesState
    private(set) var index: FingerprintIndex
    private var requested: [SampleID] = []
    /// The pages that may contain sent ids, by first position.
    private var stored: [Int64: StoredIDs] = [:]
    /// The samples among the sent ones that are stored as rows.
    private var rows: [SampleID: Revision] = [:]
    private var created = ReceivedColumns()
    /// Other revisions of samples in pages, by position.
    private var replaced: [Int64: Replacement] = [:]
    /// Other revisions of samples in rows.
    private var replacedRows: [SampleID: Replacement] = [:]
    /// The pages that are rewritten, by first position.
    private var loaded: [Int64: PositionedPage] = [:]
    /// The number of the last pages that are merged with the new samples.
    private var merged = 0

    /// - Parameter known: The index of the series from an earlier transaction.
    init(_ state: SeriesState, epoch: String, known: FingerprintIndex?) {
        self.state = state
        if let known, known.epoch == epoch, known.change >= state.emptied, known.change <= state.change {
            index = known
        } else {
            index = Self.empty(state, epoch: epoch)
        }
    }

    private static func empty(_ state: SeriesState, epoch: String) -> FingerprintIndex {
        FingerprintIndex(epoch: epoch, expecting: Int(clamping: state.alive))
    }

    /// Adds the ids of a request. Returns its failure if a sample cannot be stored.
    mutating func request(_ samples: [ReceivedSample]) -> PostgresError? {
        for sample in samples {
            guard sample.start <= sample.end, Self.extent.contains(sample.start.milliseconds),
                Self.extent.contains(sample.end.milliseconds)
            else {
                return PostgresError(kind: .rejected, sqlState: "22008", message: "the times of a sample are invalid")
            }
        }
        requested += samples.lazy.map(\.id)
        guard state.lastPosition + Int64(requested.count) <= FingerprintIndex.positions.upperBound else {
            return PostgresError(kind: .rejected, sqlState: "54000", message: "too many samples of one type")
        }
        return nil
    }

    /// The times that a page can contain.
    private static let extent: ClosedRange<Int64> = -(1 << 60)...1 << 60

    // MARK: Index

    var catchUp: [UserCommand] {
        index.change == state.change ? [] : [PageCommands(series: state.series).fingerprints(after: index.change)]
    }

    mutating func loadFingerprints(_ answers: ArraySlice<PostgresRows>) throws {
        for rows in answers {
            _ = try rows.map { row in
                let first = try row.integer()
                let encoded = try row.optional { try $0.bytes() }
                try add(first, offsets: encoded, fingerprints: try row.bytes())
            }
        }
        index.change = state.change
    }

    private mutating func add(_ first: Int64, offsets encoded: [UInt8]?, fingerprints: [UInt8]) throws {
        let count = fingerprints.count / SplitIDs.fingerprintSize
        let offsets: [UInt32]?
        do { offsets = try encoded.map { try PositionedPage.offsets($0, count: count) } } catch {
            throw PositionedPage.damaged
        }
        let last = first + (offsets?.last.map { Int64($0) } ?? Int64(count - 1))
        guard count > 0, FingerprintIndex.positions.contains(first), FingerprintIndex.positions.contains(last) else {
            throw PositionedPage.damaged
        }
        for number in 0..<count {
            index.insert(
                fingerprints.bigEndianNumber(at: number * SplitIDs.fingerprintSize),
                at: first + (offsets.map { Int64($0[number]) } ?? Int64(number)))
        }
        index.add(PageSpan(first: first, last: last, count: count))
    }

    // MARK: Look-up

    /// The statements that show which of the sent ids are stored.
    var lookUps: [UserCommand] {
        var pages: Set<Int64> = []
        for id in requested {
            _ = index.position(of: SampleFingerprint.of(id)) { position in
                if let page = index.page(at: position) { pages.insert(page.first) }
                return false
            }
        }
        var commands: [UserCommand] = []
        if let table = rowCommands { commands.append(table.states(of: requested)) }
        if !pages.isEmpty { commands.append(PageCommands(series: state.series).ids(of: pages.sorted())) }
        return commands
    }

    mutating func loadIDs(_ answers: ArraySlice<PostgresRows>) throws {
        var answers = answers
        if rowCommands != nil {
            let known = try answers.popFirst()?.map { (try $0.sampleID(), (try $0.integer(), try $0.bool())) }
            for (id, revision) in known ?? [] { rows[id] = revision }
        }
        for page in try answers.first?.map({ try StoredIDs(&$0) }) ?? [] { stored[page.firstPosition] = page }
    }

    private var rowCommands: SampleRowCommands? {
        state.rowsAfter.map { SampleRowCommands(series: state.series, rowsAfter: $0) }
    }

    // MARK: Decision

    /// Decides the outcome of a sample, whose origin has the row `origin`; 0 for none.
    mutating func decide(_ sample: ReceivedSample, origin: Int64) -> StoreOutcome {
        let fingerprint = SampleFingerprint.of(sample.id)
        var known: Revision?
        let position = index.position(of: fingerprint) { position in
            known = revision(of: sample.id, at: position)
            return known != nil
        }
        if position == nil { known = rows[sample.id] }
        let outcome = StoreOutcome.of(revision: sample.revision, isDeleted: sample.isDeleted, over: known)
        switch (outcome, position) {
        case (.duplicate, _): break
        case (.updated, let position?) where position > state.lastPosition:
            created.replace(at: Int(position - state.lastPosition) - 1, by: sample, origin: origin)
        case (.updated, let position?): replaced[position] = Replacement(sample: sample, origin: origin)
        case (.updated, nil):
            rows[sample.id] = (sample.revision, sample.isDeleted)
            replacedRows[sample.id] = Replacement(sample: sample, origin: origin)
        case (.created, _):
            created.append(sample, origin: origin)
            index.insert(fingerprint, at: state.lastPosition + Int64(created.count))
        }
        return outcome
    }

    /// Returns the revision of the sample at `position` if its id is `id`.
    private func revision(of id: SampleID, at position: Int64) -> Revision? {
        if position > state.lastPosition {
            let index = Int(position - state.lastPosition) - 1
            // The index may contain fingerprints of an earlier group that was not stored.
            guard index < created.count, created.ids[index] == id else { return nil }
            return (created.revisions[index], created.marks[index].contains(.deleted))
        }
        guard let page = index.page(at: position).flatMap({ stored[$0.first] }),
            let index = page.index(of: id, at: position)
        else { return nil }
        return replaced[position].map { ($0.sample.revision, $0.sample.isDeleted) } ?? page.state(at: index)
    }

    // MARK: Writing

    /// The statements that load the pages to be rewritten.
    mutating func loads() -> [UserCommand] {
        if created.count > 0 {
            merged = PageMerging.merged(index.pages, with: created.count, at: state.lastPosition + 1)
        }
        let pages = Set(
            replaced.keys.compactMap { index.page(at: $0)?.first } + index.pages.suffix(merged).map(\.first))
        return pages.isEmpty ? [] : [PageCommands(series: state.series).content(of: pages.sorted())]
    }

    mutating func loadPages(_ answers: ArraySlice<PostgresRows>) throws {
        for page in try answers.first?.map({ try PositionedPage(&$0) }) ?? [] { loaded[page.firstPosition] = page }
    }

    /// Returns the statements that store the changes, and updates the index to their effect. With `expected`, which needs
    /// new samples only and no merged pages, they change nothing unless the series is in this state; the last one returns
    /// a row if it is.
    mutating func changes(if expected: ExpectedSeries? = nil) throws -> [UserCommand] {
        index.state = state
        guard created.count > 0 || !replaced.isEmpty || !replacedRows.isEmpty else { return [] }
        var state = state
        state.change += 1
        let commands = PageCommands(series: state.series)
        let mergedPages = index.pages.suffix(merged).map(\.first)
        var changes: [UserCommand] = []
        try replaceSamples(&state)
        if let rowCommands, !replacedRows.isEmpty {
            changes.append(rowCommands.update(replacedRows.values.map { ($0.sample, $0.origin) }))
        }
        let isMerged = Set(mergedPages)
        for page in loaded.values where !isMerged.contains(page.firstPosition) {
            changes.append(commands.update(page, change: state.change))
        }
        if created.count > 0 {
            if !mergedPages.isEmpty { changes.append(commands.delete(mergedPages)) }
            var whole = PositionedPage(firstPosition: mergedPages.first ?? state.lastPosition + 1, columns: .init())
            for first in mergedPages {
                guard let page = loaded[first] else { throw PositionedPage.damaged }
                whole.columns.append(page.columns)
            }
            whole.columns.append(created)
            for columns in whole.columns.pages() {
                let page = PositionedPage(firstPosition: whole.firstPosition, columns: columns)
                changes.append(commands.insert(page, change: state.change, if: expected))
                index.add(page.span)
                whole.firstPosition = page.span.last + 1
            }
            state.lastPosition += Int64(created.count)
            state.alive += Int64(created.digest(in: nil).count)
        }
        index.change = state.change
        index.state = state
        return changes + [expected.map { state.update(if: $0) } ?? state.update]
    }

    private mutating func replaceSamples(_ state: inout SeriesState) throws {
        for (position, replacement) in replaced {
            // Without a copy of the page, because the change would then copy its columns.
            guard let first = index.page(at: position)?.first, let place = loaded[first]?.index(from: position),
                let wasDeleted = loaded[first]?.columns.marks[place].contains(.deleted)
            else { throw PositionedPage.damaged }
            loaded[first]?.columns.replace(at: place, by: replacement.sample, origin: replacement.origin)
            state.alive += (replacement.sample.isDeleted ? 0 : 1) - (wasDeleted ? 0 : 1)
        }
    }
}

/// The ids of a stored page, and the revisions of its samples if any differs from 0.
private struct StoredIDs {
    let firstPosition: Int64
    private let offsets: [UInt32]?
    private let ids: SplitIDs
    /// `nil` if no sample is deleted or has a revision other than 0.
    private let columns: ReceivedColumns?

    /// Reads a row of `PageCommands.ids`.
    init(_ row: inout PostgresRow) throws {
        firstPosition = try row.integer()
        let encoded = try row.optional { try $0.bytes() }
        do {
            let ids = try SplitIDs(heads: try row.bytes(), fingerprints: try row.bytes())
            self.ids = ids
            offsets = try encoded.map { try PositionedPage.offsets($0, count: ids.count) }
            columns = try row.optional { try $0.bytes() }.map { try ReceivedPageCodec.decode($0, ids: ids.ids) }
        } catch is DamagedPage {
            throw PositionedPage.damaged
        }
    }

    /// Returns the index of the sample at `position` if its id is `id`.
    func index(of id: SampleID, at position: Int64) -> Int? {
        var index = Int(position - firstPosition)
        if let offsets {
            index = offsets.partitionPoint { firstPosition + Int64($0) < position }
            guard index < offsets.count, firstPosition + Int64(offsets[index]) == position else { return nil }
        }
        return index < ids.count && ids[index] == id ? index : nil
    }

    /// Returns the revision of the sample at `index`, and whether it is deleted.
    func state(at index: Int) -> (revision: Int64, isDeleted: Bool) {
        columns.map { ($0.revisions[index], $0.marks[index].contains(.deleted)) } ?? (0, false)
    }
}

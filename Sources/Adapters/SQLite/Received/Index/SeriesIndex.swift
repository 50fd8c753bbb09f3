import HealthSyncDomain

/// The ids of the stored samples of a series, and its positions. Belongs to the writer's thread.
///
/// The ids of the last few thousand samples are in memory. Those before them are in segments in the database, of which
/// only the filters are in memory, 2 bytes per id. A write therefore costs the same however many samples are stored, and
/// reading a series into memory takes a fraction of a millisecond.
final class SeriesIndex {
    /// The number of recent ids from which they become a segment.
    static let flushCount = 4_096
    /// The number of segments of one size that are merged.
    private static let mergeCount = 4
    /// The largest level that is merged: segments remain below about 8 million ids, so that no merge takes long.
    private static let largestMergedLevel = 4
    /// The number of positions that a series reserves at once.
    private static let blockLength: Int64 = 1 << 24

    private let series: Int64
    private let connection: SQLiteConnection
    private let hash: SampleIDHash
    private var segments: [SampleIDSegment]
    /// The ids that no segment contains.
    private(set) var recent: RecentIDs
    /// The last position assigned to a sample of the series, even if the sample no longer exists.
    private(set) var lastPosition: Int64 = 0
    private var blockEnd: Int64 = 0

    /// Reads the index of a series, all samples of which must be written.
    convenience init(series: Int64, hash: SampleIDHash, over connection: SQLiteConnection) throws {
        let segments = try SampleIDSegment.all(of: series, over: connection)
        self.init(newSeries: series, hash: hash, segments: segments, over: connection)
        (blockEnd, lastPosition) =
            try connection.first(
                "SELECT block_end, last_removed FROM series WHERE series_id = ?1", series
            ) { row in (try row.integer(), try row.integer()) } ?? (0, 0)
        let covered = segments.last?.positions.upperBound ?? 0
        lastPosition = max(lastPosition, covered)
        try connection.forEach(
            """
            SELECT first_position, ids, iif(revised > 0, columns, NULL)
            FROM sample_pages INDEXED BY sample_pages_by_series
            WHERE series_id = ?1 AND first_position > ?2 - \(ReceivedColumns.largestPage)
                AND first_position + count > ?2 + 1 ORDER BY first_position
            """, series, covered
        ) { row in
            try add(StoredIDs(row, of: connection), after: covered)
            return true
        }
    }

    /// Creates an index with `segments` and without recent ids.
    init(
        newSeries series: Int64, hash: SampleIDHash, segments: [SampleIDSegment] = [], over connection: SQLiteConnection
    ) {
        self.series = series
        self.hash = hash
        self.segments = segments
        self.connection = connection
        recent = RecentIDs(hash: hash)
    }

    /// The approximate size in memory.
    var byteCount: Int { segments.reduce(recent.byteCount) { $0 + $1.filter.byteCount + 128 } }

    /// Returns the hashes of the ids of `samples`.
    func hashes(of samples: [ReceivedSample]) -> [SampleIDHash.Value] { hash.values(of: samples) }

    /// Adds a new id, or returns the ordinal that it has among the recent ids.
    func insert(_ id: SampleID, hash: UInt64) -> Int? { recent.insert(id, hash: hash) }

    /// Sets the revision of a recent id.
    func set(_ revision: RecentIDs.Revision, of ordinal: Int) { recent.set(revision, of: ordinal) }

    /// Records that the recent ids from `ordinal` on have consecutive positions, beginning with the returned one.
    func assignPositions(to count: Int, from ordinal: Int) throws -> Int64 {
        if lastPosition + Int64(count) > blockEnd { try reserveBlock() }
        let first = lastPosition + 1
        lastPosition += Int64(count)
        recent.note(RecentIDs.Run(ordinal: ordinal, position: first))
        return first
    }

    private func reserveBlock() throws {
        let end = try connection.first(
            "UPDATE positions SET last = last + ?1 RETURNING last", Self.blockLength
        ) { try $0.integer() }
        guard let end else { throw SQLiteFailure.damaged(connection.path, "the last position is missing") }
        try connection.execute("UPDATE series SET block_end = ?2 WHERE series_id = ?1", series, end)
        blockEnd = end
        lastPosition = end - Self.blockLength
    }

    /// Adds the stored ids of a page, except those at positions up to `covered`.
    func add(_ page: StoredIDs, after covered: Int64) throws {
        let skipped = max(0, Int(covered + 1 - page.firstPosition))
        recent.note(RecentIDs.Run(ordinal: recent.count, position: page.firstPosition + Int64(skipped)))
        for index in skipped..<page.ids.count {
            let ordinal = recent.count
            guard recent.insert(page.ids[index], hash: hash.hash(page.ids[index])) == nil else {
                throw SQLiteFailure.damaged(connection.path, "a sample is stored twice")
            }
            recent.set(page.revision(at: index), of: ordinal)
        }
        lastPosition = max(lastPosition, page.firstPosition + Int64(page.ids.count) - 1)
    }

    /// Returns the stored sample with the id of each of `samples` if it is in a segment; an empty array if none is.
    func stored(_ samples: [ReceivedSample], hashes: [SampleIDHash.Value]) throws -> [StoredSample?] {
        var search = StoredSampleSearch(
            of: samples, hashes: hashes, in: segments, series: series, over: connection)
        return try search.found()
    }

    /// Moves the recent ids to segments if there are at least `count`. All samples must be written.
    func flush(from count: Int = flushCount) throws {
        guard recent.count >= count else { return }
        var rest = recent.entries()[...]
        while let first = rest.first {
            let part = rest.prefix { $0.position - first.position < SampleIDLayout.largestSpan }
            if let segment = try SampleIDSegment.insert(part, series: series, over: connection) {
                segments.append(segment)
            }
            rest = rest[part.endIndex...]
            try merge()
        }
        recent = RecentIDs(hash: hash)
    }

    /// Merges the newest segments as long as enough of them have the same level.
    private func merge() throws {
        while segments.count >= Self.mergeCount {
            let newest = segments.suffix(Self.mergeCount)
            guard let level = newest.first?.level, level <= Self.largestMergedLevel,
                newest.allSatisfy({ $0.level == level }), let first = newest.first, let last = newest.last,
                last.positions.upperBound - first.positions.lowerBound < SampleIDLayout.largestSpan,
                let merged = try SampleIDSegment.merge(newest, series: series, over: connection)
            else { return }
            segments.removeLast(Self.mergeCount)
            segments.append(merged)
        }
    }

    /// Deletes the segments of a series whose samples are all removed. Positions continue.
    func removeAll() throws {
        for segment in segments { try segment.remove(over: connection) }
        try connection.execute(
            "UPDATE series SET last_removed = ?2 WHERE series_id = ?1", series, lastPosition)
    }
}

extension SampleIDHash {
    /// Reads the key of the database.
    init(over connection: SQLiteConnection) throws {
        let key = try connection.first("SELECT hash_key FROM positions") { try $0.bits() }
        guard let key else { throw SQLiteFailure.damaged(connection.path, "the key of the id index is missing") }
        self.init(key: key)
    }
}

/// A stored sample, as far as a write depends on it.
struct StoredSample {
    let position: Int64
    let revision: RecentIDs.Revision
}

/// Finds samples by their ids in the segments of a series. The filters exclude almost every new id.
///
/// Clients mostly send samples again in the order in which they were stored, so the id after the last one that was found
/// is compared first. The other ids are looked up in chunks, and what these contain is compared with the ids of the pages.
private struct StoredSampleSearch {
    private let series: Int64
    private let connection: SQLiteConnection
    private let segments: [SampleIDSegment]
    private let samples: [ReceivedSample]
    private let hashes: [SampleIDHash.Value]
    private var stored: [StoredSample?] = []
    /// The page of the last sample that was found in order, and the index of the next one.
    private var page: StoredIDs?
    private var next = 0

    /// A chunk that may contain the id of a sample.
    private struct Candidate {
        let segment: Int
        let chunk: Int
        let prefix: UInt64
        let sample: Int
    }

    /// - Parameter hashes: The hash of each of `samples`.
    init(
        of samples: [ReceivedSample], hashes: [SampleIDHash.Value], in segments: [SampleIDSegment], series: Int64,
        over connection: SQLiteConnection
    ) {
        self.samples = samples
        self.hashes = hashes
        self.segments = segments
        self.series = series
        self.connection = connection
    }

    /// Returns the stored sample with the id of each of the samples; an empty array if none is stored.
    mutating func found() throws -> [StoredSample?] {
        var candidates = candidates()
        guard !candidates.isEmpty else { return [] }
        stored = [StoredSample?](repeating: nil, count: samples.count)
        var isOpen = [Bool](repeating: false, count: samples.count)
        for candidate in candidates { isOpen[candidate.sample] = true }
        try followOrder(&isOpen)
        candidates.removeAll { !isOpen[$0.sample] }
        try search(&candidates)
        return stored
    }

    private func candidates() -> [Candidate] {
        var candidates: [Candidate] = []
        for (number, segment) in segments.enumerated() {
            segment.filter.forEachMatch(in: hashes) { sample in
                let prefix = hashes[sample].prefix
                candidates.append(
                    Candidate(segment: number, chunk: segment.layout.chunk(of: prefix), prefix: prefix, sample: sample))
            }
        }
        return candidates
    }

    // MARK: In order

    /// The number of samples that are looked up alone because they do not follow the last one found, and how many more
    /// are after a number of others that do.
    private static let (fewestLookUps, samplesOfLookUp) = (4, 32)

    /// Finds samples that were stored one after another, and clears their marks in `isOpen`.
    private mutating func followOrder(_ isOpen: inout [Bool]) throws {
        var found = 0
        var lookUps = 0
        for sample in samples.indices where isOpen[sample] {
            if try follows(sample) {
                found += 1
            } else if lookUps < Self.fewestLookUps + found / Self.samplesOfLookUp {
                lookUps += 1
                try lookUp(sample)
            } else {
                continue
            }
            isOpen[sample] = false
        }
    }

    /// Returns whether a sample is stored after the last one that was found, and stores it as found if it is.
    private mutating func follows(_ sample: Int) throws -> Bool {
        guard let last = page else { return false }
        if next == last.ids.count {
            // Later ids are not in segments: their revisions are those of the recent ids.
            let position = last.firstPosition + Int64(next)
            page = position <= segments.last?.positions.upperBound ?? 0 ? try page(with: position) : nil
            next = 0
            guard page?.firstPosition == position else {
                page = nil
                return false
            }
        }
        guard let page, page.ids[next] == samples[sample].id,
            page.firstPosition + Int64(next) <= segments.last?.positions.upperBound ?? 0
        else { return false }
        stored[sample] = StoredSample(
            position: page.firstPosition + Int64(next), revision: page.revision(at: next))
        next += 1
        return true
    }

    private mutating func lookUp(_ sample: Int) throws {
        var found: [Int64] = []
        for segment in segments {
            var isContained = false
            segment.filter.forEachMatch(in: [hashes[sample]]) { _ in isContained = true }
            guard isContained else { continue }
            let prefix = hashes[sample].prefix
            try segment.forEach(in: segment.layout.chunk(of: prefix), over: connection) { entry in
                if entry.prefix == prefix { found.append(entry.position) }
            }
        }
        for position in found {
            let page = try storedPage(with: position)
            guard page.ids[Int(position - page.firstPosition)] == samples[sample].id else { continue }
            next = Int(position - page.firstPosition)
            stored[sample] = StoredSample(position: position, revision: page.revision(at: next))
            next += 1
            self.page = page
        }
    }

    // MARK: In any order

    private mutating func search(_ candidates: inout [Candidate]) throws {
        candidates.sort { ($0.segment, $0.chunk) < ($1.segment, $1.chunk) }
        var found: [(position: Int64, sample: Int)] = []
        var rest = candidates[...]
        while let first = rest.first {
            let group = rest.prefix { $0.segment == first.segment && $0.chunk == first.chunk }
            rest = rest[group.endIndex...]
            try search(group, in: segments[first.segment]) { found.append(($0, $1)) }
        }
        try confirm(found)
    }

    /// Calls `body` with the position and the index of the samples of `group`, all in one chunk, that have the hash of an
    /// entry.
    private func search(
        _ group: ArraySlice<Candidate>, in segment: SampleIDSegment, _ body: (Int64, Int) -> Void
    ) throws {
        guard let chunk = group.first?.chunk else { return }
        // Mostly one id that the filter contains by mistake.
        guard group.count > 4 else {
            return try segment.forEach(in: chunk, over: connection) { entry in
                for candidate in group where candidate.prefix == entry.prefix { body(entry.position, candidate.sample) }
            }
        }
        // An open-addressing table, because a chunk has far more entries than there are candidates.
        var size = 16
        while size < group.count * 4 { size *= 2 }
        var slots = [Int](repeating: -1, count: size)
        for place in group.indices {
            var slot = Int(truncatingIfNeeded: group[place].prefix) & (size - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = place
        }
        try segment.forEach(in: chunk, over: connection) { entry in
            var slot = Int(truncatingIfNeeded: entry.prefix) & (size - 1)
            while slots[slot] >= 0 {
                let candidate = group[slots[slot]]
                if candidate.prefix == entry.prefix { body(entry.position, candidate.sample) }
                slot = (slot + 1) & (size - 1)
            }
        }
    }

    /// Compares the ids, because different ids may have the same hash.
    private mutating func confirm(_ found: [(position: Int64, sample: Int)]) throws {
        var page: StoredIDs?
        for (position, sample) in found.sorted(by: { $0.position < $1.position }) {
            if page?.contains(position) != true { page = try storedPage(with: position) }
            guard let page else { continue }
            let index = Int(position - page.firstPosition)
            guard page.ids[index] == samples[sample].id else { continue }
            stored[sample] = StoredSample(position: position, revision: page.revision(at: index))
        }
    }

    /// Returns the page that contains `position`, which a segment contains.
    private func storedPage(with position: Int64) throws -> StoredIDs {
        guard let page = try page(with: position), page.contains(position) else {
            throw SQLiteFailure.damaged(connection.path, "a page of samples is missing")
        }
        return page
    }

    private func page(with position: Int64) throws -> StoredIDs? {
        try connection.first(
            """
            SELECT first_position, ids, iif(revised > 0, columns, NULL)
            FROM sample_pages INDEXED BY sample_pages_by_series
            WHERE series_id = ?1 AND first_position <= ?2 ORDER BY first_position DESC LIMIT 1
            """, series, position
        ) { try StoredIDs($0, of: connection) }
    }
}

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

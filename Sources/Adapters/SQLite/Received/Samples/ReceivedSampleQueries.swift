import HealthSyncDomain

/// Queries on the samples of one user and type.
struct ReceivedSampleQueries {
    private let connection: SQLiteConnection
    /// `nil` if the user has no samples of the type.
    private let series: Int64?
    private let cache: SampleCellCache
    /// The counts of rewrites before the first query of the transaction.
    private let before: SeriesRewrites.Counts

    /// Must be created before anything else is read in the transaction.
    init(
        user: UserName, type: String, cache: SampleCellCache = SampleCellCache(), over connection: SQLiteConnection
    ) throws {
        self.connection = connection
        self.cache = cache
        before = cache.rewrites.now
        series = try connection.first(
            "SELECT series_id FROM series JOIN users USING (user_id) WHERE name = ?1 AND type = ?2", user.text, type
        ) { try $0.integer() }
    }

    /// Returns at most `limit` samples after the position `after` that are not deleted and start within `interval`, in
    /// the order of storage.
    func samples(after: Int64, in interval: InstantRange?, limit: Int) throws -> ReceivedSamplePage {
        var answer = Answer(connection: connection, interval: interval, limit: limit)
        guard let series else { return answer.page }
        var next = after
        while true {
            let page = try connection.first(
                """
                SELECT first_position, ids, columns FROM sample_pages INDEXED BY sample_pages_by_series
                WHERE series_id = ?1 AND first_position > ?2 - \(ReceivedColumns.largestPage)
                    AND first_position + count > ?2 + 1 AND alive > 0 AND first_start_ms < ?3 AND last_start_ms >= ?4
                ORDER BY first_position LIMIT 1
                """, series, next, interval?.end.milliseconds ?? Int64.max,
                interval?.start.milliseconds ?? Int64.min
            ) { try ReceivedSamplePages.Page($0, of: connection) }
            guard let page, try answer.add(page, after: next) else { return answer.page }
            next = page.firstPosition + Int64(page.columns.count) - 1
        }
    }

    /// Returns the range from the first to the last start of samples that are not deleted.
    func starts() throws -> ClosedRange<Instant>? {
        guard let series else { return nil }
        let found = try connection.first(
            """
            SELECT min(first_start_ms), max(last_start_ms) FROM sample_pages INDEXED BY sample_pages_by_series
            WHERE series_id = ?1 AND alive > 0
            """, series
        ) { row in (try row.optional { try $0.instant() }, try row.optional { try $0.instant() }) }
        guard let first = found?.0, let last = found?.1 else { return nil }
        return first...last
    }

    /// Returns the last position assigned to a sample, even if the sample no longer exists; 0 for none.
    func lastPosition() throws -> Int64 {
        guard let series else { return 0 }
        let page = try ReceivedSamplePages.last(of: series, over: connection)
        let removed = try connection.first("SELECT last_removed FROM series WHERE series_id = ?1", series) {
            try $0.integer()
        }
        return max(page.map { $0.firstPosition + Int64($0.count) - 1 } ?? 0, removed ?? 0)
    }

    /// Returns the number of samples that are not deleted and start within `interval`, by default of all.
    func count(in interval: InstantRange?) throws -> Int {
        guard let series else { return 0 }
        if let interval { return try digests(in: [interval])[0].count }
        return try SampleSumRows.count(of: series, over: connection)
    }

    /// Returns the digest of the samples that are not deleted and start within each of `intervals`: the sum of stored cells,
    /// and of samples at the edges.
    func digests(in intervals: [InstantRange]) throws -> [SampleSetDigest] {
        guard let series else { return intervals.map { _ in .zero } }
        let rewrites = before.settled(of: series, with: cache.rewrites.now)
        let parts = intervals.map { SampleSumParts(of: $0) }
        var cells: [Int64: Int] = [:]
        for edge in parts.flatMap(\.edges) where cells[edge.cell] == nil {
            cells[edge.cell] = try SampleSumRows.sum(
                of: series, .fine, edge.cell..<edge.cell + 1, over: connection
            ).count
        }
        let edges = parts.map { $0.edges.filter { cells[$0.cell] != 0 } }
        var rest = try EdgeDigests(series: series, connection: connection, cache: cache, rewrites: rewrites)
            .digests(of: edges.flatMap(\.self), count: cells.values.reduce(0, +))[...]
        return try zip(parts, edges).map { parts, edges in
            var digest = rest.prefix(edges.count).reduce(.zero, +)
            rest = rest.dropFirst(edges.count)
            for (level, cells) in parts.cells {
                digest += try SampleSumRows.sum(of: series, level, cells, over: connection)
            }
            return digest
        }
    }

    /// An answer assembled from pages.
    private struct Answer {
        let connection: SQLiteConnection
        let interval: InstantRange?
        let limit: Int
        private(set) var page = ReceivedSamplePage(batch: ReceivedSampleBatch(), next: nil)
        private var origins: [Int64: Int] = [:]
        private var last: Int64 = 0

        init(connection: SQLiteConnection, interval: InstantRange?, limit: Int) {
            self.connection = connection
            self.interval = interval
            self.limit = limit
        }

        /// Adds the matching samples of a stored page; returns `false` if there are more than the limit.
        mutating func add(_ stored: ReceivedSamplePages.Page, after: Int64) throws -> Bool {
            let first = max(0, Int(after + 1 - stored.firstPosition))
            for index in first..<stored.columns.count where stored.columns.isAlive(at: index, in: interval) {
                guard page.batch.samples.count < limit else {
                    page.next = last
                    return false
                }
                let origin = try origin(stored.columns.origins[index])
                page.batch.samples.append(stored.columns.sample(at: index, origin: origin))
                last = stored.firstPosition + Int64(index)
            }
            return true
        }

        /// Returns the index of a stored origin in the answer's origins; -1 if it does not exist.
        private mutating func origin(_ row: Int64) throws -> Int {
            if let known = origins[row] { return known }
            let found = try connection.first(
                "SELECT bundle_id, device_name, unit FROM origins WHERE origin_id = ?1", row
            ) { row in
                ReceivedOrigin(
                    bundleID: try row.text(), deviceName: try row.optional { try $0.text() }, unit: try row.text())
            }
            let index = found == nil ? -1 : page.batch.origins.count
            if let found { page.batch.origins.append(found) }
            origins[row] = index
            return index
        }
    }
}

/// Digests of parts of fine cells, which the stored sums do not contain. Each page that may contain a sample of them is read
/// once for all. If these are far more samples than those of the cells, the pages are not in order of time, and all samples
/// are kept in memory by cell.
private struct EdgeDigests {
    typealias Edge = (interval: InstantRange, cell: Int64)

    let series: Int64
    let connection: SQLiteConnection
    let cache: SampleCellCache
    /// The settled count of rewrites of the series; `nil` while it is being rewritten.
    let rewrites: Int?

    private struct PageRow {
        let position: Int64
        let count: Int
        let firstStart: Int64
        let lastStart: Int64
    }

    /// The number of samples to read from which they are kept.
    private static let keptFrom = 1 << 16
    /// How many times more samples are read than the cells contain if they are kept.
    private static let keptRatio = 4

    /// Returns the digest of each of `edges`, whose cells together contain `count` samples.
    func digests(of edges: [Edge], count: Int) throws -> [SampleSetDigest] {
        guard !edges.isEmpty else { return [] }
        let pages = try pages()
        var sums = IntervalSums(of: edges.map(\.interval))
        let kept = try kept(pages, ifNeededFor: count) { sums.overlaps($0.firstStart, $0.lastStart) }
        for page in pages
        where page.position > kept?.lastPage ?? 0 && sums.overlaps(page.firstStart, page.lastStart) {
            try read(page.position) { view, id in try sums.add(view, id: id) }
        }
        return edges.map { edge in
            sums.digest(of: edge.interval) + (kept?.samples.digest(in: edge.interval, of: edge.cell) ?? .zero)
        }
    }

    private func pages() throws -> [PageRow] {
        try connection.rows(
            """
            SELECT first_position, count, first_start_ms, last_start_ms
            FROM sample_pages INDEXED BY sample_pages_by_series
            WHERE series_id = ?1 AND alive > 0 ORDER BY first_position
            """, series
        ) { row in
            PageRow(
                position: try row.integer(), count: try row.int(), firstStart: try row.integer(),
                lastStart: try row.integer())
        }
    }

    private func read<Value>(
        _ position: Int64, _ body: (ReceivedPageView, (Int) -> SampleID) throws -> Value
    ) throws {
        try connection.forEach("SELECT ids, columns FROM sample_pages WHERE first_position = ?1", position) { row in
            let (ids, columns) = (try row.blob(), try row.blob())
            do {
                _ = try body(try ReceivedPageView(columns, count: ids.count / 16)) { ReceivedPageCodec.id(ids, at: $0) }
            } catch is DamagedPage {
                throw SQLiteFailure.damaged(connection.path, "a page of samples cannot be read")
            }
            return false
        }
    }

    // MARK: Samples in memory

    private func kept(
        _ pages: [PageRow], ifNeededFor count: Int, _ isRead: (PageRow) -> Bool
    ) throws -> SampleCellCache.Entry? {
        guard let rewrites else { return nil }
        let file = FileIdentity(of: connection.path)
        if let known = cache.entry(of: series, rewrites: rewrites, file: file),
            !mustFill(pages.filter { $0.position > known.lastPage }, for: count, isRead)
        {
            return known
        }
        guard let last = pages.lastIndex(where: { $0.count >= UnwrittenSamples.largeEnough }),
            mustFill(pages, for: count, isRead)
        else { return nil }
        let sizes = try SampleSumRows.counts(of: series, over: connection)
        let bytes = sizes.reduce(0) { $0 + $1.count } * SampleCells.bytesOfSample
        return try cache.fill(series, bytes: bytes) {
            guard var samples = SampleCells(sizes) else { return nil }
            for page in pages[...last] { try read(page.position) { view, id in try samples.add(view, id: id) } }
            return .init(samples: samples, lastPage: pages[last].position, rewrites: rewrites, file: file)
        }
    }

    private func mustFill(_ pages: [PageRow], for count: Int, _ isRead: (PageRow) -> Bool) -> Bool {
        let read = pages.reduce(0) { $0 + (isRead($1) ? $1.count : 0) }
        return read >= Self.keptFrom && read >= Self.keptRatio * count
    }
}

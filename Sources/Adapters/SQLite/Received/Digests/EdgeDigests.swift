import HealthSyncDomain

/// Digests of parts of fine cells, which the stored sums do not contain. Each page that may contain a sample of them is read
/// once for all. If these are far more samples than those of the cells, the pages are not in order of time, and all samples
/// are kept in memory by cell.
struct EdgeDigests {
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

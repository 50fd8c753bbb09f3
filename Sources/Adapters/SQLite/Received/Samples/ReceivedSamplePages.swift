import HealthSyncDomain

/// Pages of samples in the table `sample_pages`.
enum ReceivedSamplePages {
    /// Another revision of a stored sample.
    typealias Replacement = (position: Int64, sample: ReceivedSample, origin: Int64)

    /// Inserts a page whose first sample is at `position`.
    static func insert(
        _ columns: ReceivedColumns, series: Int64, at position: Int64, over connection: SQLiteConnection
    ) throws {
        let summary = ReceivedPageSummary(of: columns)
        try connection.execute(
            """
            INSERT INTO sample_pages (first_position, series_id, count, alive, revised, first_start_ms, last_start_ms,
                last_end_ms, digest_high, digest_low, ids, columns)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            """, position, series, columns.count, summary.digest.count, summary.revised, summary.firstStart,
            summary.lastStart, summary.lastEnd, Int64(bitPattern: summary.digest.high),
            Int64(bitPattern: summary.digest.low), SQLiteValue.blob(ReceivedPageCodec.encode(ids: columns.ids)),
            SQLiteValue.blob(ReceivedPageCodec.encode(columns)))
    }

    /// Returns the position and the count of the last page of a series.
    static func last(
        of series: Int64, over connection: SQLiteConnection
    ) throws -> (firstPosition: Int64, count: Int)? {
        try connection.first(
            """
            SELECT first_position, count FROM sample_pages INDEXED BY sample_pages_by_series
            WHERE series_id = ?1 ORDER BY first_position DESC LIMIT 1
            """, series
        ) { row in (try row.integer(), try row.int()) }
    }

    /// Deletes the page whose first sample is at `position` and returns its content.
    static func remove(at position: Int64, over connection: SQLiteConnection) throws -> Page? {
        try connection.first(
            "DELETE FROM sample_pages WHERE first_position = ?1 RETURNING first_position, ids, columns", position
        ) { try Page($0, of: connection) }
    }

    /// Replaces stored samples, given by position, with other revisions.
    static func replace(_ revisions: [Replacement], series: Int64, over connection: SQLiteConnection) throws {
        var sums = SampleSumChanges()
        var rest = revisions.sorted { $0.position < $1.position }[...]
        while let next = rest.first {
            let page = try connection.first(
                """
                SELECT first_position, ids, columns FROM sample_pages INDEXED BY sample_pages_by_series
                WHERE series_id = ?1 AND first_position <= ?2 ORDER BY first_position DESC LIMIT 1
                """, series, next.position
            ) { try Page($0, of: connection) }
            guard var page, page.contains(next.position) else {
                throw SQLiteFailure.damaged(connection.path, "a page of samples is missing")
            }
            while let revision = rest.first, page.contains(revision.position) {
                let index = Int(revision.position - page.firstPosition)
                sums.remove(page.columns, at: index)
                page.columns.replace(at: index, by: revision.sample, origin: revision.origin)
                sums.add(page.columns, at: index)
                rest = rest.dropFirst()
            }
            try update(page, over: connection)
        }
        try SampleSumRows.apply(sums, series: series, over: connection)
    }

    private static func update(_ page: Page, over connection: SQLiteConnection) throws {
        let summary = ReceivedPageSummary(of: page.columns)
        try connection.execute(
            """
            UPDATE sample_pages SET alive = ?2, revised = ?3, first_start_ms = ?4, last_start_ms = ?5,
                last_end_ms = ?6, digest_high = ?7, digest_low = ?8, columns = ?9
            WHERE first_position = ?1
            """, page.firstPosition, summary.digest.count, summary.revised, summary.firstStart, summary.lastStart,
            summary.lastEnd, Int64(bitPattern: summary.digest.high), Int64(bitPattern: summary.digest.low),
            SQLiteValue.blob(ReceivedPageCodec.encode(page.columns)))
    }

    /// A stored page.
    struct Page {
        let firstPosition: Int64
        var columns: ReceivedColumns

        /// Reads the columns `first_position, ids, columns`.
        init(_ row: SQLiteStatement, of connection: SQLiteConnection) throws {
            firstPosition = try row.integer()
            let ids = try ReceivedSamplePages.ids(try row.blob(), of: connection)
            columns = try ReceivedSamplePages.columns(try row.blob(), ids: ids, of: connection)
        }

        func contains(_ position: Int64) -> Bool {
            position >= firstPosition && position < firstPosition + Int64(columns.count)
        }
    }

    /// Decodes the ids of a page.
    static func ids(_ bytes: [UInt8], of connection: SQLiteConnection) throws -> [SampleID] {
        do {
            return try ReceivedPageCodec.ids(bytes)
        } catch {
            throw SQLiteFailure.damaged(connection.path, "the ids of a page of samples cannot be read")
        }
    }

    /// Decodes the columns of a page.
    static func columns(_ bytes: [UInt8], ids: [SampleID], of connection: SQLiteConnection) throws -> ReceivedColumns {
        do {
            return try ReceivedPageCodec.decode(bytes, ids: ids)
        } catch {
            throw SQLiteFailure.damaged(connection.path, "a page of samples cannot be read")
        }
    }
}

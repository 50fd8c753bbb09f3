import HealthSyncDomain
import HealthSyncPorts

extension Migration {
    /// Moves samples from rows to pages.
    static let receivedPages = Migration(
        number: 2,
        sql: """
            -- Samples of one user and type, packed as docs/server.md says, in the order of storing: the first is at
            -- first_position, the next at the one after, and so on. Positions are never used twice. Times are
            -- milliseconds since 1970; alive, times and digest are of the samples that are not deleted. The digest is the
            -- sum of their ids. revised are deleted or have a revision other than 0.
            -- No foreign key: its look-up would cost as much as the insertion, and both tables are only written by the one
            -- transaction that writes the page.
            CREATE TABLE sample_pages (
                first_position INTEGER PRIMARY KEY,
                series_id INTEGER NOT NULL,
                count INTEGER NOT NULL CHECK (count > 0),
                alive INTEGER NOT NULL,
                revised INTEGER NOT NULL,
                first_start_ms INTEGER NOT NULL,
                last_start_ms INTEGER NOT NULL,
                last_end_ms INTEGER NOT NULL,
                digest_high INTEGER NOT NULL,
                digest_low INTEGER NOT NULL,
                ids BLOB NOT NULL CHECK (length(ids) = 16 * count),
                columns BLOB NOT NULL
            ) STRICT;
            -- By position, and all that a digest over an interval asks of pages that lie within it.
            CREATE INDEX sample_pages_by_series ON sample_pages
                (series_id, first_position, first_start_ms, last_start_ms, alive, digest_high, digest_low);
            """, convert: packRows)

    @Sendable private static func packRows(
        _ connection: SQLiteConnection, _: (any ContentHasher)?
    ) throws -> String? {
        let series = try connection.rows("SELECT series_id FROM series ORDER BY series_id") { try $0.integer() }
        for series in series { try packRows(of: series, over: connection) }
        try connection.executeScript(
            """
            -- The highest position that was ever given where its sample is gone; others are those of the pages.
            DROP TABLE samples;
            DROP TABLE sample_ids;
            ALTER TABLE positions DROP COLUMN indexed;
            """)
        return nil
    }

    private static func packRows(of series: Int64, over connection: SQLiteConnection) throws {
        var after: Int64 = 0
        while true {
            var page = ReceivedColumns()
            var first: Int64 = 0
            _ = try connection.rows(
                """
                SELECT position, id, start_ms, end_ms, value, origin_id, revision, is_deleted, is_uppercase
                FROM samples WHERE series_id = ?1 AND position > ?2 ORDER BY position LIMIT ?3
                """, series, after, ReceivedColumns.largestPage
            ) { row in
                let position = try row.integer()
                if page.count == 0 { first = position }
                // A page has no gaps; the samples after a gap are read again for the next page.
                guard position == first + Int64(page.count) else { return }
                let (sample, origin) = try sample(row)
                page.append(sample, origin: origin)
            }
            guard page.count > 0 else { return }
            try ReceivedSamplePages.insert(page, series: series, at: first, over: connection)
            after = first + Int64(page.count) - 1
        }
    }

    private static func sample(_ row: SQLiteStatement) throws -> (ReceivedSample, origin: Int64) {
        let id = try row.digest()
        var sample = ReceivedSample(
            id: SampleID(high: id.high, low: id.low), start: try row.instant(), end: try row.instant(),
            value: try row.real())
        let origin = try row.optional { try $0.integer() } ?? 0
        sample.revision = try row.integer()
        sample.isDeleted = try row.bool()
        sample.isUppercase = try row.bool()
        return (sample, origin)
    }
}

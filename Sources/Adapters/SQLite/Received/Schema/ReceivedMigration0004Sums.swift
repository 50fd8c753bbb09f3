import HealthSyncDomain
import HealthSyncPorts

extension Migration {
    /// Adds the sums and the id index of every series, and positions that are consecutive within a series.
    static let receivedSums = Migration(
        number: 4,
        sql: """
            -- Sums over the samples of a series that are not deleted and start within a cell: level is 16 or 22, a cell
            -- is 2^level seconds long, and cell 0 begins at 2001-01-01T00:00:00Z. The digest is the sum of the ids modulo
            -- 2^128, content the sum of the checksums in docs/server.md modulo 2^64. A cell without samples has no row.
            CREATE TABLE sample_sums (
                series_id INTEGER NOT NULL,
                level INTEGER NOT NULL,
                cell INTEGER NOT NULL,
                count INTEGER NOT NULL CHECK (count > 0),
                digest_high INTEGER NOT NULL,
                digest_low INTEGER NOT NULL,
                content INTEGER NOT NULL,
                PRIMARY KEY (series_id, level, cell)
            ) STRICT, WITHOUT ROWID;
            -- Segments of the index of ids. Together they contain the ids of all samples of a series up to the largest
            -- last_position; those of later samples are only in the pages.
            CREATE TABLE id_segments (
                segment_id INTEGER PRIMARY KEY,
                series_id INTEGER NOT NULL,
                first_position INTEGER NOT NULL,
                last_position INTEGER NOT NULL,
                count INTEGER NOT NULL,
                chunk_bits INTEGER NOT NULL,
                offset_bits INTEGER NOT NULL,
                filter BLOB NOT NULL
            ) STRICT;
            CREATE INDEX id_segments_by_series ON id_segments (series_id, first_position);
            -- Chunk n of a segment is in row segment_id * 65536 + n. docs/server.md documents the entries.
            CREATE TABLE id_chunks (
                chunk_id INTEGER PRIMARY KEY,
                entries BLOB NOT NULL
            ) STRICT;
            -- Positions are assigned in blocks of 2^24 to one series each. positions.last is the end of the last block;
            -- block_end is that of the block of the series, 0 for none; last_removed is the highest position of a series
            -- whose samples were all removed. hash_key is the key of the hash of ids.
            ALTER TABLE series ADD COLUMN block_end INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE series ADD COLUMN last_removed INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE positions ADD COLUMN hash_key INTEGER NOT NULL DEFAULT 0;
            UPDATE positions SET hash_key = random(), last = max(last, ifnull(
                (SELECT first_position + count - 1 FROM sample_pages ORDER BY first_position DESC LIMIT 1), 0));
            -- All that queries ask of pages without opening them.
            DROP INDEX sample_pages_by_series;
            CREATE INDEX sample_pages_by_series ON sample_pages
                (series_id, first_position, count, alive, first_start_ms, last_start_ms, last_end_ms);
            DROP INDEX records_by_type;
            CREATE INDEX records_by_type ON records (user_id, kind, type, granularity, day, is_deleted);
            """, convert: computeSums)

    /// Reads every page once. Memory is bounded, because SQLite writes what exceeds its cache to the log; a migration that
    /// is killed begins again.
    @Sendable private static func computeSums(
        _ connection: SQLiteConnection, _: (any ContentHasher)?
    ) throws -> String? {
        let hash = try SampleIDHash(over: connection)
        let series = try connection.rows("SELECT series_id FROM series ORDER BY series_id") { try $0.integer() }
        for series in series { try computeSums(of: series, hash: hash, over: connection) }
        return nil
    }

    private static func computeSums(of series: Int64, hash: SampleIDHash, over connection: SQLiteConnection) throws {
        let index = SeriesIndex(newSeries: series, hash: hash, over: connection)
        var sums = SampleSumChanges()
        var pages = 0
        try connection.forEach(
            """
            SELECT first_position, ids, columns FROM sample_pages INDEXED BY sample_pages_by_series
            WHERE series_id = ?1 ORDER BY first_position
            """, series
        ) { row in
            let page = try ReceivedSamplePages.Page(row, of: connection)
            try index.add(StoredIDs(firstPosition: page.firstPosition, columns: page.columns), after: 0)
            // Larger segments than usual, because these need no merging.
            try index.flush(from: 64 * SeriesIndex.flushCount)
            sums.add(page.columns)
            pages += 1
            if pages % 256 == 0 {
                try SampleSumRows.apply(sums, series: series, over: connection)
                sums = SampleSumChanges()
            }
            return true
        }
        try index.flush()
        try SampleSumRows.apply(sums, series: series, over: connection)
    }
}

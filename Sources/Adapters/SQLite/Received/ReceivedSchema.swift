import HealthSyncDomain
import HealthSyncPorts

/// The schema of a receiving server's database.
enum ReceivedSchema {
    /// The application id `HSRV` of the file.
    static let applicationID: Int64 = 0x4853_5256

    /// Every migration, in order. A released migration is never edited.
    static let migrations: [Migration] = [.receivedRows, .receivedPages, .hourIDs, .receivedSums]

    /// The schema version of this program.
    static let latest = Int64(migrations.count)

    /// The remedies for readers: the server creates and migrates the file before anything reads it, so the file was
    /// replaced meanwhile.
    static let advice = SQLiteReader.Advice(
        whereMissing: "restore the file and restart `healthsync serve`",
        whereOlder: "restart `healthsync serve`; it migrates the file")
}

extension Migration {
    /// Creates users, samples as rows, records and batch keys.
    fileprivate static let receivedRows = Migration(
        number: 1,
        sql: """
            CREATE TABLE users (
                user_id INTEGER PRIMARY KEY,
                name TEXT NOT NULL UNIQUE
            ) STRICT;
            -- One row a user and type of samples.
            CREATE TABLE series (
                series_id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users,
                type TEXT NOT NULL,
                UNIQUE (user_id, type)
            ) STRICT;
            CREATE TABLE origins (
                origin_id INTEGER PRIMARY KEY,
                bundle_id TEXT NOT NULL,
                device_name TEXT,
                unit TEXT NOT NULL
            ) STRICT;
            CREATE UNIQUE INDEX origins_by_content
                ON origins (bundle_id, ifnull(device_name, ''), device_name IS NULL, unit);
            -- position: the order of storing; never used twice. Times are milliseconds since 1970.
            -- No foreign keys here: their look-ups would cost as much as the insertion, and both tables are only
            -- written by the one transaction that writes the sample.
            CREATE TABLE samples (
                position INTEGER PRIMARY KEY,
                series_id INTEGER NOT NULL,
                id BLOB NOT NULL CHECK (length(id) = 16),
                start_ms INTEGER NOT NULL,
                end_ms INTEGER NOT NULL CHECK (end_ms >= start_ms),
                value REAL NOT NULL,
                origin_id INTEGER,
                revision INTEGER NOT NULL,
                is_deleted INTEGER NOT NULL,
                is_uppercase INTEGER NOT NULL
            ) STRICT;
            -- Where the sample with an id is, up to positions.indexed. Ids are spread evenly: an index that is written
            -- with every sample rewrites a page for each. So it is brought up in bulk, in its own order, and the
            -- writer, of which there is one, keeps the ids behind it in memory.
            CREATE TABLE sample_ids (
                series_id INTEGER NOT NULL,
                id BLOB NOT NULL,
                position INTEGER NOT NULL,
                PRIMARY KEY (series_id, id)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX samples_by_start ON samples (series_id, start_ms);
            -- Sleep sessions, entries of metrics, snapshots. body is canonical JSON.
            CREATE TABLE records (
                record_id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users,
                kind TEXT NOT NULL,
                id TEXT NOT NULL,
                revision INTEGER NOT NULL,
                is_deleted INTEGER NOT NULL,
                type TEXT NOT NULL,
                granularity TEXT NOT NULL,
                day TEXT NOT NULL,
                start_ms INTEGER NOT NULL,
                body TEXT NOT NULL,
                created_ms INTEGER NOT NULL,
                updated_ms INTEGER NOT NULL,
                UNIQUE (user_id, kind, id)
            ) STRICT;
            CREATE INDEX records_by_day ON records (user_id, kind, day, start_ms, id);
            CREATE INDEX records_by_type ON records (user_id, kind, type, granularity, day);
            CREATE TABLE batch_keys (
                user_id INTEGER NOT NULL REFERENCES users,
                key TEXT NOT NULL,
                content BLOB NOT NULL,
                received_ms INTEGER NOT NULL,
                PRIMARY KEY (user_id, key)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX batch_keys_by_time ON batch_keys (received_ms);
            -- How far a user's steps.jsonl is known to be on disk.
            CREATE TABLE line_files (
                user_id INTEGER PRIMARY KEY REFERENCES users,
                last_position INTEGER NOT NULL,
                length INTEGER NOT NULL
            ) STRICT;
            -- The highest position that was ever given, though its sample may be gone.
            CREATE TABLE positions (
                only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
                last INTEGER NOT NULL,
                indexed INTEGER NOT NULL
            ) STRICT;
            INSERT INTO positions VALUES (1, 0, 0);
            """)

    /// Moves samples from rows to pages.
    fileprivate static let receivedPages = Migration(
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

    /// Adds the day to the ids of hours (`steps/hour/2024-01-15/2024-01-15T08:00:00Z`), so that days of two zones can
    /// each contain an hour. Tombstones keep their old ids, because their days are unknown. If a newer client has
    /// already sent the hour under its new id, that record stays.
    fileprivate static let hourIDs = Migration(
        number: 3,
        sql: """
            CREATE TEMP TABLE renamed AS
                SELECT record_id, user_id, id AS old_id,
                    type || '/hour/' || day || substr(id, length(type) + 6) AS new_id
                FROM records
                WHERE kind = 'progress' AND granularity = 'hour' AND NOT is_deleted
                    AND id = type || '/hour/' || substr(id, length(type) + 7)
                    AND instr(substr(id, length(type) + 7), '/') = 0;
            DELETE FROM records WHERE record_id IN (
                SELECT renamed.record_id FROM renamed
                JOIN records AS newer ON newer.user_id = renamed.user_id AND newer.kind = 'progress'
                    AND newer.id = renamed.new_id);
            UPDATE records SET id = renamed.new_id,
                body = replace(body, '"' || renamed.old_id || '"', '"' || renamed.new_id || '"')
                FROM renamed WHERE renamed.record_id = records.record_id;
            DROP TABLE renamed;
            """)

    /// Adds the sums and the id index of every series, and positions that are consecutive within a series.
    fileprivate static let receivedSums = Migration(
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

extension Migration {
    /// Creates users, samples as rows, records and batch keys.
    static let receivedRows = Migration(
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
}

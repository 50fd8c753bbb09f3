extension Migration {
    /// Adds the intervals in which raw samples are delivered, and outbox items that refer to samples instead of
    /// containing them.
    static let layering = Migration(
        number: 3,
        sql: """
            CREATE TABLE layered_type (
                type_id INTEGER PRIMARY KEY REFERENCES sample_type (id),
                kind TEXT NOT NULL UNIQUE,
                measure TEXT NOT NULL,
                measure_limit INTEGER NOT NULL,
                generation INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE sync_interval (
                type_id INTEGER NOT NULL REFERENCES layered_type (type_id),
                start_ms INTEGER NOT NULL,
                end_ms INTEGER NOT NULL,
                step_count INTEGER NOT NULL,
                sample_count INTEGER NOT NULL,
                id_sum BLOB NOT NULL,
                PRIMARY KEY (type_id, start_ms)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE interval_delivery (
                destination TEXT NOT NULL,
                kind TEXT NOT NULL,
                start_ms INTEGER NOT NULL,
                synced_at_ms INTEGER,
                PRIMARY KEY (destination, kind, start_ms)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE sample_revision (
                type_id INTEGER NOT NULL REFERENCES sample_type (id),
                id BLOB NOT NULL,
                revision INTEGER NOT NULL,
                is_deleted INTEGER NOT NULL,
                PRIMARY KEY (type_id, id)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE changed_page (
                type_id INTEGER NOT NULL REFERENCES sample_type (id),
                day TEXT NOT NULL,
                origin_id INTEGER NOT NULL REFERENCES origin (id),
                columns BLOB,
                PRIMARY KEY (type_id, day, origin_id)
            ) STRICT, WITHOUT ROWID;
            ALTER TABLE outbox_item ADD COLUMN interval_start_ms INTEGER;
            ALTER TABLE outbox_item ADD COLUMN interval_s INTEGER;
            ALTER TABLE outbox_item ADD COLUMN samples INTEGER NOT NULL DEFAULT 0;
            CREATE INDEX outbox_item_interval ON outbox_item (destination, kind, interval_start_ms)
                WHERE interval_start_ms IS NOT NULL;
            ALTER TABLE outbox_batch ADD COLUMN is_compressed INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE outbox_batch ADD COLUMN sample_ids BLOB;
            """)
}

extension Migration {
    /// Adds what change streams deleted, and the dates of their complete windows.
    static let changeStreams = Migration(
        number: 16,
        sql: """
            CREATE TABLE deleted_sample (
                provider TEXT NOT NULL,
                external_id TEXT NOT NULL,
                type TEXT,
                day TEXT,
                origin_id INTEGER REFERENCES origin (id),
                start_ms INTEGER,
                duration_ms INTEGER,
                value REAL,
                window_date_ms INTEGER,
                PRIMARY KEY (provider, external_id)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX deleted_sample_day ON deleted_sample (type, day) WHERE type IS NOT NULL;
            CREATE TABLE complete_window (
                provider TEXT NOT NULL,
                type TEXT NOT NULL,
                date_ms INTEGER NOT NULL,
                PRIMARY KEY (provider, type)
            ) STRICT, WITHOUT ROWID;

            """
                + ["insert", "update", "delete"].map { event in
                    """
                    CREATE TRIGGER deleted_sample_\(event)_ends_complete_parts AFTER \(event.uppercased()) ON deleted_sample
                    WHEN EXISTS (SELECT 1 FROM complete_part)
                    BEGIN
                        DELETE FROM complete_part;
                    END;

                    """
                }.joined())
}

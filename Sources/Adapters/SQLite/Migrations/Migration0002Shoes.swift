extension Migration {
    /// Adds shoes and their sessions. The tables are described in docs/database.md.
    static let shoes = Migration(
        number: 2,
        sql: """
            CREATE TABLE shoe (
                id TEXT PRIMARY KEY,
                brand TEXT NOT NULL,
                model TEXT NOT NULL,
                emoji TEXT,
                colour TEXT,
                purchased_on TEXT,
                price REAL,
                currency TEXT,
                default_since_ms INTEGER,
                archived_at_ms INTEGER,
                added_at_ms INTEGER NOT NULL,
                CHECK ((price IS NULL) = (currency IS NULL)),
                CHECK (default_since_ms IS NULL OR archived_at_ms IS NULL)
            ) STRICT, WITHOUT ROWID;
            CREATE UNIQUE INDEX shoe_default ON shoe (default_since_ms IS NULL) WHERE default_since_ms IS NOT NULL;
            CREATE TABLE shoe_session (
                id TEXT PRIMARY KEY,
                shoe_id TEXT NOT NULL REFERENCES shoe (id),
                start_ms INTEGER NOT NULL,
                end_ms INTEGER CHECK (end_ms > start_ms),
                is_auto_started INTEGER NOT NULL,
                is_auto_closed INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX shoe_session_shoe ON shoe_session (shoe_id);
            CREATE INDEX shoe_session_start ON shoe_session (start_ms, end_ms);
            CREATE TRIGGER shoe_session_apart BEFORE INSERT ON shoe_session
            WHEN EXISTS (
                SELECT 1 FROM (SELECT end_ms FROM shoe_session WHERE start_ms <= NEW.start_ms ORDER BY start_ms DESC LIMIT 1)
                WHERE end_ms IS NULL OR end_ms > NEW.start_ms
            ) OR EXISTS (
                SELECT 1 FROM shoe_session
                WHERE start_ms > NEW.start_ms AND (NEW.end_ms IS NULL OR start_ms < NEW.end_ms)
            )
            BEGIN
                SELECT raise(ABORT, 'two shoe sessions share time');
            END;
            CREATE TABLE shoe_settled (
                day TEXT NOT NULL,
                start_ms INTEGER NOT NULL,
                PRIMARY KEY (day, start_ms)
            ) STRICT, WITHOUT ROWID;
            """)
}

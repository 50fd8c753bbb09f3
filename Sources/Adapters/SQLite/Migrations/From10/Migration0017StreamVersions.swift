extension Migration {
    /// Adds versions to what change streams deleted and to their windows, parts of windows, and what feeds cover and
    /// lack.
    ///
    /// A window of schema 16 has neither an interval nor a version, so it is not kept: only a payload that is older than
    /// the window could have been affected by it.
    static let streamVersions = Migration(
        number: 17,
        sql: """
            ALTER TABLE deleted_sample ADD COLUMN version INTEGER;
            DROP TABLE complete_window;
            CREATE TABLE complete_window (
                provider TEXT NOT NULL,
                type TEXT NOT NULL,
                start_ms INTEGER NOT NULL,
                end_ms INTEGER NOT NULL,
                version INTEGER NOT NULL,
                PRIMARY KEY (provider, type, start_ms, end_ms)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE window_part (
                provider TEXT NOT NULL,
                start_ms INTEGER NOT NULL,
                end_ms INTEGER NOT NULL,
                version INTEGER NOT NULL,
                date_ms INTEGER NOT NULL,
                is_last INTEGER NOT NULL,
                lists TEXT NOT NULL,
                PRIMARY KEY (provider, start_ms, end_ms, version)
            ) STRICT;
            CREATE TABLE feed_window (
                provider TEXT NOT NULL,
                type TEXT NOT NULL,
                is_sum INTEGER NOT NULL,
                source_name TEXT NOT NULL,
                first_ms INTEGER NOT NULL,
                last_ms INTEGER NOT NULL,
                PRIMARY KEY (provider, type, is_sum, source_name)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE unsent_sample (
                type TEXT NOT NULL,
                utc_day TEXT NOT NULL,
                day TEXT NOT NULL,
                count INTEGER NOT NULL CHECK (count > 0),
                PRIMARY KEY (type, utc_day, day)
            ) STRICT, WITHOUT ROWID;
            """)
}

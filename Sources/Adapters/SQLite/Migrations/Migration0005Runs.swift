extension Migration {
    /// Adds the last runs: what was requested, how each ended, and its counts.
    static let runs = Migration(
        number: 5,
        sql: """
            CREATE TABLE run (
                id INTEGER PRIMARY KEY,
                command TEXT NOT NULL,
                started_at_ms INTEGER NOT NULL,
                ended_at_ms INTEGER,
                ending TEXT,
                first_day TEXT,
                last_day TEXT,
                sources INTEGER NOT NULL DEFAULT 0,
                unchanged_sources INTEGER NOT NULL DEFAULT 0,
                records_read INTEGER NOT NULL DEFAULT 0,
                samples_stored INTEGER NOT NULL DEFAULT 0,
                samples_known INTEGER NOT NULL DEFAULT 0,
                records_refused INTEGER NOT NULL DEFAULT 0,
                records_not_selected INTEGER NOT NULL DEFAULT 0,
                samples_deleted INTEGER NOT NULL DEFAULT 0,
                snapshots INTEGER NOT NULL DEFAULT 0,
                items_delivered INTEGER,
                items_refused INTEGER,
                items_left INTEGER,
                samples_sent INTEGER,
                repair_differing INTEGER,
                repair_sent INTEGER,
                repair_deleted INTEGER,
                repair_left INTEGER
            ) STRICT;
            CREATE INDEX run_open ON run (id) WHERE ending IS NULL;
            CREATE TABLE run_metric (
                run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
                metric TEXT NOT NULL,
                outcome TEXT NOT NULL,
                days INTEGER,
                records INTEGER,
                reason TEXT,
                PRIMARY KEY (run_id, metric)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE run_failure (
                run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
                position INTEGER NOT NULL,
                metric TEXT,
                code TEXT NOT NULL,
                subject TEXT NOT NULL,
                reason TEXT NOT NULL,
                advice TEXT NOT NULL,
                PRIMARY KEY (run_id, position)
            ) STRICT, WITHOUT ROWID;
            """)
}

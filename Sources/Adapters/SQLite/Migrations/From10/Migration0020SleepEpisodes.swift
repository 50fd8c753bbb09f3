extension Migration {
    /// Adds what a session is a part of and what counts of it, in place of the night from noon to noon. Keeps the former
    /// figures until a run has derived all days, to say what changed (`HistoryChangeRows`).
    ///
    /// Stored sessions keep what counted until now. The next run derives them again, because the version of the handler of
    /// sleep changed, and sends them again, because their stretches are empty, which no derived one is.
    static let sleepEpisodes = Migration(
        number: 20,
        sql: """
            CREATE TABLE former_figure (
                metric TEXT NOT NULL,
                day TEXT NOT NULL,
                quantity REAL NOT NULL,
                unit TEXT NOT NULL,
                PRIMARY KEY (metric, day)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO former_figure SELECT metric, day, quantity, unit FROM daily_progress;
            INSERT INTO former_figure SELECT 'sleep', day, max(asleep_ms) / 60000.0, 'min' FROM sleep_session
                WHERE role = 'main' AND is_preferred AND asleep_ms > 0 GROUP BY day;
            CREATE TABLE history_change (
                version TEXT PRIMARY KEY,
                at_ms INTEGER,
                nights INTEGER NOT NULL,
                figures INTEGER NOT NULL,
                metric TEXT,
                day TEXT,
                unit TEXT,
                former REAL,
                quantity REAL
            ) STRICT, WITHOUT ROWID;
            INSERT INTO history_change (version, nights, figures)
                SELECT '0.2.0', 0, 0 WHERE EXISTS (SELECT 1 FROM former_figure);
            DROP VIEW sleep_stage;
            DROP INDEX IF EXISTS sleep_session_night;
            ALTER TABLE sleep_session ADD COLUMN onset_ms INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE sleep_session ADD COLUMN counts INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE sleep_session ADD COLUMN stretches TEXT NOT NULL DEFAULT '[]';
            ALTER TABLE sleep_session ADD COLUMN counted_in_bed_ms INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE sleep_session ADD COLUMN counted_asleep_ms INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE sleep_session ADD COLUMN counted_awake_ms INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE sleep_session ADD COLUMN counted_core_ms INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE sleep_session ADD COLUMN counted_deep_ms INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE sleep_session ADD COLUMN counted_rem_ms INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE sleep_session ADD COLUMN counted_unspecified_ms INTEGER NOT NULL DEFAULT 0;
            UPDATE sleep_session SET onset_ms = start_ms;
            UPDATE sleep_session SET counts = 1,
                stretches = '[{"start":' || start_ms || ',"end":' || start_ms || '}]',
                counted_in_bed_ms = in_bed_ms, counted_asleep_ms = asleep_ms, counted_awake_ms = awake_ms,
                counted_core_ms = core_ms, counted_deep_ms = deep_ms, counted_rem_ms = rem_ms,
                counted_unspecified_ms = unspecified_ms
            WHERE is_preferred;
            ALTER TABLE sleep_session DROP COLUMN night;
            ALTER TABLE sleep_session DROP COLUMN is_preferred;
            CREATE VIEW sleep_stage AS
                SELECT source_id, day, json_extract(stage.value, '$.stage') AS stage,
                    json_extract(stage.value, '$.start') AS start_ms, json_extract(stage.value, '$.end') AS end_ms,
                    strftime('%Y-%m-%dT%H:%M:%SZ', json_extract(stage.value, '$.start') / 1000, 'unixepoch') AS start,
                    strftime('%Y-%m-%dT%H:%M:%SZ', json_extract(stage.value, '$.end') / 1000, 'unixepoch') AS "end"
                FROM sleep_session, json_each(stages) AS stage;
            CREATE VIEW sleep_episode AS
                SELECT day, role, onset_ms, min(start_ms) AS start_ms, max(end_ms) AS end_ms,
                    strftime('%Y-%m-%dT%H:%M:%SZ', min(start_ms) / 1000, 'unixepoch') AS start,
                    strftime('%Y-%m-%dT%H:%M:%SZ', max(end_ms) / 1000, 'unixepoch') AS "end",
                    sum(counted_in_bed_ms) AS in_bed_ms, sum(counted_asleep_ms) AS asleep_ms,
                    sum(counted_awake_ms) AS awake_ms, sum(counted_core_ms) AS core_ms,
                    sum(counted_deep_ms) AS deep_ms, sum(counted_rem_ms) AS rem_ms,
                    sum(counted_unspecified_ms) AS unspecified_ms, count(*) AS sessions
                FROM sleep_session WHERE counts GROUP BY day, role, onset_ms;
            """)
}

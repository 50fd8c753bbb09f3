extension Migration {
    /// Adds the digests of the zone rules that stored days were derived with. An older database has none, so its next
    /// run derives every day again.
    static let zoneRules = Migration(
        number: 10,
        sql: """
            CREATE TABLE zone_rules (
                zone TEXT PRIMARY KEY,
                digest BLOB NOT NULL
            ) STRICT, WITHOUT ROWID;
            """)

    /// Adds the result of the last verification of each server.
    static let verification = Migration(
        number: 11,
        sql: """
            CREATE TABLE verification (
                destination TEXT PRIMARY KEY,
                verified_at_ms INTEGER NOT NULL,
                verdict TEXT NOT NULL,
                records INTEGER NOT NULL,
                samples INTEGER NOT NULL,
                differing INTEGER NOT NULL,
                reason TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            """)

    /// Adds the parts that are complete as long as their inputs do not change (decision 21). Triggers delete a row when
    /// an input changes. An older database has no rows: its next run compares all days once.
    static let completeParts = Migration(
        number: 12,
        sql: """
            CREATE TABLE complete_part (
                part TEXT PRIMARY KEY,
                rules BLOB NOT NULL
            ) STRICT, WITHOUT ROWID;

            """
                + ["insert", "update", "delete"].map { event in
                    """
                    CREATE TRIGGER sample_page_\(event)_ends_complete_parts AFTER \(event.uppercased()) ON sample_page
                    WHEN EXISTS (SELECT 1 FROM complete_part)
                    BEGIN
                        DELETE FROM complete_part;
                    END;

                    """
                }.joined()
                    + """
                    CREATE TRIGGER day_tracking_delete_ends_complete_parts AFTER DELETE ON day_tracking
                    WHEN EXISTS (SELECT 1 FROM complete_part)
                    BEGIN
                        DELETE FROM complete_part
                        WHERE part IN ('metric/' || OLD.metric, 'metric/activitySnapshot') OR substr(part, 1, 7) = 'server/';
                    END;
                    CREATE TRIGGER delivered_delete_ends_complete_parts AFTER DELETE ON delivered
                    WHEN EXISTS (SELECT 1 FROM complete_part)
                    BEGIN
                        DELETE FROM complete_part WHERE part = 'server/' || OLD.destination;
                    END;
                    """)

    /// Adds the UTC offsets that sources report, as evidence of the user's time zone.
    static let zoneEvidence = Migration(
        number: 13,
        sql: """
            CREATE TABLE zone_evidence (
                provider TEXT NOT NULL,
                instant_ms INTEGER NOT NULL,
                offset_s INTEGER NOT NULL,
                PRIMARY KEY (provider, instant_ms)
            ) STRICT, WITHOUT ROWID;
            """)

    /// Adds the time for which measurements hold, which weights means over time.
    ///
    /// Stored days have none until the next run derives them again because of the handler's new version.
    static let heldTime = Migration(
        number: 15,
        sql: """
            ALTER TABLE daily_progress ADD COLUMN held_ms INTEGER;
            DROP VIEW hour_progress;
            CREATE VIEW hour_progress AS
                SELECT metric, day, json_extract(hour.value, '$.start') AS start_ms,
                    strftime('%Y-%m-%dT%H:%M:%SZ', json_extract(hour.value, '$.start') / 1000, 'unixepoch') AS start,
                    unit, json_extract(hour.value, '$.quantity') AS quantity,
                    json_extract(hour.value, '$.minimum') AS minimum, json_extract(hour.value, '$.maximum') AS maximum,
                    json_extract(hour.value, '$.count') AS count, json_extract(hour.value, '$.held_ms') AS held_ms
                FROM daily_progress, json_each(hours) AS hour;
            """)

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

    /// Adds the ids that servers give to delivered records.
    static let backendIDs = Migration(number: 18, sql: "ALTER TABLE delivered ADD COLUMN backend_id TEXT;")

    /// Adds how the value of a deleted sample was written.
    ///
    /// From this schema on, pages contain the unit and the digits of values (version 2 of their layout), which earlier
    /// versions of the program cannot read. Stored pages stay as they are until their samples are imported again.
    static let notations = Migration(number: 19, sql: "ALTER TABLE deleted_sample ADD COLUMN written BLOB;")

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

    /// Remembers which metrics the known servers had, because every quantity in the data becomes a metric: the old days of
    /// the further metrics are not delivered to them by surprise. The next run tells the user once.
    ///
    /// A server that is offered more no longer counts as complete.
    static let formerDeliveries = Migration(
        number: 21,
        sql: """
            CREATE TABLE former_delivery (
                destination TEXT PRIMARY KEY,
                last_day TEXT NOT NULL,
                metrics TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            INSERT INTO former_delivery
                SELECT destination, (SELECT max(day) FROM daily_progress),
                    (SELECT json_group_array(metric) FROM (SELECT DISTINCT metric FROM daily_progress ORDER BY metric))
                FROM (
                    SELECT address AS destination FROM destination UNION SELECT destination FROM outbox_item
                    UNION SELECT destination FROM delivered)
                WHERE EXISTS (SELECT 1 FROM daily_progress);
            CREATE TRIGGER former_delivery_delete_ends_complete_parts AFTER DELETE ON former_delivery
            WHEN EXISTS (SELECT 1 FROM complete_part)
            BEGIN
                DELETE FROM complete_part WHERE part = 'server/' || OLD.destination;
            END;
            CREATE TRIGGER former_delivery_update_ends_complete_parts AFTER UPDATE ON former_delivery
            WHEN EXISTS (SELECT 1 FROM complete_part)
            BEGIN
                DELETE FROM complete_part WHERE part = 'server/' || OLD.destination;
            END;
            CREATE TABLE notice (
                name TEXT PRIMARY KEY
            ) STRICT, WITHOUT ROWID;
            INSERT INTO notice SELECT 'furtherMetrics' WHERE EXISTS (SELECT 1 FROM day_tracking);
            """)
}

extension Migration {
    /// Creates the tables of samples, derived records and the outbox, which docs/database.md describes.
    static let initialSchema = Migration(number: 1, sql: samples + records + outbox)

    private static let samples = """
        CREATE TABLE sample_type (
            id INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL UNIQUE,
            definition TEXT NOT NULL,
            longest_ms INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE origin (
            id INTEGER PRIMARY KEY,
            provider TEXT NOT NULL,
            source_name TEXT NOT NULL,
            device TEXT NOT NULL,
            is_user_entered INTEGER NOT NULL,
            is_pre_aggregated INTEGER NOT NULL,
            UNIQUE (provider, source_name, device, is_user_entered, is_pre_aggregated)
        ) STRICT;
        CREATE TABLE sample_page (
            id INTEGER PRIMARY KEY,
            type_id INTEGER NOT NULL REFERENCES sample_type (id),
            day TEXT NOT NULL,
            origin_id INTEGER NOT NULL REFERENCES origin (id),
            count INTEGER NOT NULL,
            sum REAL NOT NULL,
            first_start_ms INTEGER NOT NULL,
            last_end_ms INTEGER NOT NULL,
            digest BLOB NOT NULL,
            columns BLOB NOT NULL,
            UNIQUE (type_id, day, origin_id)
        ) STRICT;
        CREATE INDEX sample_page_digest ON sample_page (type_id, day, origin_id, digest);
        CREATE TABLE sample_tombstone (
            id INTEGER PRIMARY KEY,
            type_id INTEGER NOT NULL REFERENCES sample_type (id),
            day TEXT NOT NULL,
            origin_id INTEGER NOT NULL REFERENCES origin (id),
            count INTEGER NOT NULL,
            sum REAL NOT NULL,
            first_start_ms INTEGER NOT NULL,
            last_end_ms INTEGER NOT NULL,
            digest BLOB NOT NULL,
            export_date_ms INTEGER NOT NULL,
            columns BLOB NOT NULL,
            UNIQUE (type_id, day, origin_id)
        ) STRICT;
        CREATE TABLE ingested_source (
            path TEXT PRIMARY KEY,
            provider TEXT NOT NULL,
            content TEXT NOT NULL,
            selection BLOB NOT NULL,
            export_date_ms INTEGER,
            ingested_at_ms INTEGER NOT NULL,
            is_complete INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE snapshot_provider (
            provider TEXT PRIMARY KEY,
            latest_export_date_ms INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        """

    private static let records = """
        CREATE TABLE daily_progress (
            id INTEGER PRIMARY KEY,
            metric TEXT NOT NULL,
            day TEXT NOT NULL,
            derived_by TEXT NOT NULL,
            source_id TEXT NOT NULL,
            revision INTEGER NOT NULL,
            start_ms INTEGER NOT NULL,
            unit TEXT NOT NULL,
            quantity REAL NOT NULL,
            minimum REAL,
            maximum REAL,
            count INTEGER,
            origins TEXT NOT NULL,
            hours TEXT NOT NULL,
            UNIQUE (metric, day)
        ) STRICT;
        CREATE INDEX daily_progress_derived_by ON daily_progress (derived_by, day);
        CREATE VIEW hour_progress AS
            SELECT metric, day, json_extract(hour.value, '$.start') AS start_ms,
                strftime('%Y-%m-%dT%H:%M:%SZ', json_extract(hour.value, '$.start') / 1000, 'unixepoch') AS start,
                unit, json_extract(hour.value, '$.quantity') AS quantity,
                json_extract(hour.value, '$.minimum') AS minimum, json_extract(hour.value, '$.maximum') AS maximum,
                json_extract(hour.value, '$.count') AS count
            FROM daily_progress, json_each(hours) AS hour;
        CREATE TABLE sleep_session (
            id INTEGER PRIMARY KEY,
            source_id TEXT NOT NULL UNIQUE,
            revision INTEGER NOT NULL,
            night TEXT NOT NULL,
            day TEXT NOT NULL,
            start_ms INTEGER NOT NULL,
            end_ms INTEGER NOT NULL,
            offset_s INTEGER NOT NULL,
            role TEXT NOT NULL,
            is_preferred INTEGER NOT NULL,
            source_name TEXT NOT NULL,
            device TEXT NOT NULL,
            is_user_entered INTEGER NOT NULL,
            is_pre_aggregated INTEGER NOT NULL,
            in_bed_ms INTEGER NOT NULL,
            asleep_ms INTEGER NOT NULL,
            awake_ms INTEGER NOT NULL,
            core_ms INTEGER NOT NULL,
            deep_ms INTEGER NOT NULL,
            rem_ms INTEGER NOT NULL,
            unspecified_ms INTEGER NOT NULL,
            stages TEXT NOT NULL
        ) STRICT;
        CREATE INDEX sleep_session_night ON sleep_session (night);
        CREATE INDEX sleep_session_day ON sleep_session (day);
        CREATE VIEW sleep_stage AS
            SELECT source_id, night, json_extract(stage.value, '$.stage') AS stage,
                json_extract(stage.value, '$.start') AS start_ms, json_extract(stage.value, '$.end') AS end_ms,
                strftime('%Y-%m-%dT%H:%M:%SZ', json_extract(stage.value, '$.start') / 1000, 'unixepoch') AS start,
                strftime('%Y-%m-%dT%H:%M:%SZ', json_extract(stage.value, '$.end') / 1000, 'unixepoch') AS "end"
            FROM sleep_session, json_each(stages) AS stage;
        CREATE TABLE activity_snapshot (
            day TEXT PRIMARY KEY,
            source_id TEXT NOT NULL,
            revision INTEGER NOT NULL,
            steps REAL,
            walking_distance_km REAL,
            active_energy_kcal REAL,
            exercise_minutes REAL,
            resting_heart_rate REAL,
            minutes_asleep REAL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE removed_record (
            source_id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            revision INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE day_tracking (
            metric TEXT NOT NULL,
            day TEXT NOT NULL,
            digest BLOB NOT NULL,
            PRIMARY KEY (metric, day)
        ) STRICT, WITHOUT ROWID;

        """

    private static let outbox = """
        CREATE TABLE destination (
            address TEXT PRIMARY KEY,
            last_fence INTEGER NOT NULL DEFAULT 0,
            not_before_ms INTEGER,
            paused_reason TEXT,
            is_disabled INTEGER NOT NULL DEFAULT 0,
            batch_limits TEXT NOT NULL DEFAULT '{}',
            consecutive_failures INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE outbox_batch (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            destination TEXT NOT NULL,
            key TEXT NOT NULL,
            kind TEXT NOT NULL,
            method TEXT NOT NULL,
            path TEXT NOT NULL,
            send_count INTEGER NOT NULL,
            lease_owner TEXT,
            lease_until_ms INTEGER,
            fence INTEGER NOT NULL,
            not_before_ms INTEGER,
            items TEXT NOT NULL,
            body BLOB NOT NULL
        ) STRICT;
        CREATE INDEX outbox_batch_destination ON outbox_batch (destination, key);
        CREATE TABLE outbox_item (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            destination TEXT NOT NULL,
            kind TEXT NOT NULL,
            dedup_key TEXT NOT NULL,
            ordering_key TEXT NOT NULL,
            revision INTEGER NOT NULL,
            is_tombstone INTEGER NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('pending', 'leased', 'dead')),
            lease_owner TEXT,
            lease_until_ms INTEGER,
            fence INTEGER,
            batch_id INTEGER REFERENCES outbox_batch (id),
            attempts INTEGER NOT NULL DEFAULT 0,
            last_status INTEGER,
            last_reason TEXT,
            created_at_ms INTEGER NOT NULL,
            updated_at_ms INTEGER NOT NULL,
            member_ids TEXT NOT NULL,
            payload BLOB NOT NULL,
            UNIQUE (destination, kind, dedup_key)
        ) STRICT;
        CREATE INDEX outbox_item_ordering ON outbox_item (destination, ordering_key, id);
        CREATE INDEX outbox_item_pending ON outbox_item (destination, id) WHERE state = 'pending' AND batch_id IS NULL;
        CREATE INDEX outbox_item_leased ON outbox_item (destination, lease_until_ms)
            WHERE state = 'leased' AND batch_id IS NULL;
        CREATE INDEX outbox_item_batch ON outbox_item (batch_id) WHERE batch_id IS NOT NULL;
        CREATE TABLE delivered (
            id INTEGER PRIMARY KEY,
            destination TEXT NOT NULL,
            kind TEXT NOT NULL,
            dedup_key TEXT NOT NULL,
            ordering_key TEXT NOT NULL,
            revision INTEGER NOT NULL,
            is_tombstone INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            last_status INTEGER,
            is_dropped INTEGER NOT NULL,
            settled_at_ms INTEGER NOT NULL,
            UNIQUE (destination, kind, dedup_key)
        ) STRICT;
        """
}

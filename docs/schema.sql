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
CREATE TABLE attributed_day (
    day TEXT PRIMARY KEY,
    rules BLOB NOT NULL,
    figures TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE changed_page (
    type_id INTEGER NOT NULL REFERENCES sample_type (id),
    day TEXT NOT NULL,
    origin_id INTEGER NOT NULL REFERENCES origin (id),
    columns BLOB, is_former INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (type_id, day, origin_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE complete_part (
    part TEXT PRIMARY KEY,
    rules BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE complete_window (
    provider TEXT NOT NULL,
    type TEXT NOT NULL,
    start_ms INTEGER NOT NULL,
    end_ms INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (provider, type, start_ms, end_ms)
) STRICT, WITHOUT ROWID;
CREATE TABLE counted_days (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    home_zone TEXT NOT NULL,
    stays TEXT NOT NULL,
    is_whole INTEGER NOT NULL
) STRICT;
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
    hours TEXT NOT NULL, held_ms INTEGER,
    UNIQUE (metric, day)
) STRICT;
CREATE TRIGGER daily_progress_delete_forgets_days AFTER DELETE ON daily_progress
WHEN EXISTS (SELECT 1 FROM attributed_day)
BEGIN
    DELETE FROM attributed_day WHERE day BETWEEN OLD.day AND OLD.day;
END;
CREATE INDEX daily_progress_derived_by ON daily_progress (derived_by, day);
CREATE TRIGGER daily_progress_insert_forgets_days AFTER INSERT ON daily_progress
WHEN EXISTS (SELECT 1 FROM attributed_day)
BEGIN
    DELETE FROM attributed_day WHERE day BETWEEN NEW.day AND NEW.day;
END;
CREATE TRIGGER daily_progress_update_forgets_days AFTER UPDATE ON daily_progress
WHEN EXISTS (SELECT 1 FROM attributed_day)
BEGIN
    DELETE FROM attributed_day WHERE day BETWEEN OLD.day AND OLD.day;
    DELETE FROM attributed_day WHERE day BETWEEN NEW.day AND NEW.day;
END;
CREATE TABLE day_tracking (
    metric TEXT NOT NULL,
    day TEXT NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (metric, day)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER day_tracking_delete_ends_complete_parts AFTER DELETE ON day_tracking
WHEN EXISTS (SELECT 1 FROM complete_part)
BEGIN
    DELETE FROM complete_part
    WHERE part IN ('metric/' || OLD.metric, 'metric/activitySnapshot') OR substr(part, 1, 7) = 'server/';
END;
CREATE TABLE deleted_sample (
    provider TEXT NOT NULL,
    external_id TEXT NOT NULL,
    type TEXT,
    day TEXT,
    origin_id INTEGER REFERENCES origin (id),
    start_ms INTEGER,
    duration_ms INTEGER,
    value REAL,
    window_date_ms INTEGER, version INTEGER, written BLOB,
    PRIMARY KEY (provider, external_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deleted_sample_day ON deleted_sample (type, day) WHERE type IS NOT NULL;
CREATE TRIGGER deleted_sample_delete_ends_complete_parts AFTER DELETE ON deleted_sample
WHEN EXISTS (SELECT 1 FROM complete_part)
BEGIN
    DELETE FROM complete_part;
END;
CREATE TRIGGER deleted_sample_insert_ends_complete_parts AFTER INSERT ON deleted_sample
WHEN EXISTS (SELECT 1 FROM complete_part)
BEGIN
    DELETE FROM complete_part;
END;
CREATE TRIGGER deleted_sample_update_ends_complete_parts AFTER UPDATE ON deleted_sample
WHEN EXISTS (SELECT 1 FROM complete_part)
BEGIN
    DELETE FROM complete_part;
END;
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
    settled_at_ms INTEGER NOT NULL, backend_id TEXT,
    UNIQUE (destination, kind, dedup_key)
) STRICT;
CREATE TRIGGER delivered_delete_ends_complete_parts AFTER DELETE ON delivered
WHEN EXISTS (SELECT 1 FROM complete_part)
BEGIN
    DELETE FROM complete_part WHERE part = 'server/' || OLD.destination;
END;
CREATE TABLE destination (
    address TEXT PRIMARY KEY,
    last_fence INTEGER NOT NULL DEFAULT 0,
    not_before_ms INTEGER,
    paused_reason TEXT,
    is_disabled INTEGER NOT NULL DEFAULT 0,
    batch_limits TEXT NOT NULL DEFAULT '{}',
    consecutive_failures INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE feed_window (
    provider TEXT NOT NULL,
    type TEXT NOT NULL,
    is_sum INTEGER NOT NULL,
    source_name TEXT NOT NULL,
    first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    PRIMARY KEY (provider, type, is_sum, source_name)
) STRICT, WITHOUT ROWID;
CREATE TABLE former_delivery (
    destination TEXT PRIMARY KEY,
    last_day TEXT NOT NULL,
    metrics TEXT NOT NULL
) STRICT, WITHOUT ROWID;
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
CREATE TABLE former_figure (
    metric TEXT NOT NULL,
    day TEXT NOT NULL,
    quantity REAL NOT NULL,
    unit TEXT NOT NULL,
    PRIMARY KEY (metric, day)
) STRICT, WITHOUT ROWID;
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
CREATE VIEW hour_progress AS
    SELECT metric, day, json_extract(hour.value, '$.start') AS start_ms,
        strftime('%Y-%m-%dT%H:%M:%SZ', json_extract(hour.value, '$.start') / 1000, 'unixepoch') AS start,
        unit, json_extract(hour.value, '$.quantity') AS quantity,
        json_extract(hour.value, '$.minimum') AS minimum, json_extract(hour.value, '$.maximum') AS maximum,
        json_extract(hour.value, '$.count') AS count, json_extract(hour.value, '$.held_ms') AS held_ms
    FROM daily_progress, json_each(hours) AS hour;
CREATE TABLE ingested_source (
    path TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    content TEXT NOT NULL,
    selection BLOB NOT NULL,
    export_date_ms INTEGER,
    ingested_at_ms INTEGER NOT NULL,
    is_complete INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE interval_delivery (
    destination TEXT NOT NULL,
    kind TEXT NOT NULL,
    start_ms INTEGER NOT NULL,
    synced_at_ms INTEGER,
    PRIMARY KEY (destination, kind, start_ms)
) STRICT, WITHOUT ROWID;
CREATE TABLE layered_type (
    type_id INTEGER PRIMARY KEY REFERENCES sample_type (id),
    kind TEXT NOT NULL UNIQUE,
    measure TEXT NOT NULL,
    measure_limit INTEGER NOT NULL,
    generation INTEGER NOT NULL
) STRICT;
CREATE TABLE line_page (
    id INTEGER PRIMARY KEY,
    type_id INTEGER NOT NULL REFERENCES sample_type (id),
    day TEXT NOT NULL,
    origin_id INTEGER NOT NULL REFERENCES origin (id),
    line INTEGER NOT NULL,
    count INTEGER NOT NULL,
    sum REAL NOT NULL,
    first_start_ms INTEGER NOT NULL,
    last_end_ms INTEGER NOT NULL,
    digest BLOB NOT NULL,
    columns BLOB NOT NULL,
    UNIQUE (type_id, day, origin_id, line)
) STRICT;
CREATE TABLE notice (
    name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TABLE origin (
    id INTEGER PRIMARY KEY,
    provider TEXT NOT NULL,
    source_name TEXT NOT NULL,
    device TEXT NOT NULL,
    is_user_entered INTEGER NOT NULL,
    is_pre_aggregated INTEGER NOT NULL,
    UNIQUE (provider, source_name, device, is_user_entered, is_pre_aggregated)
) STRICT;
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
, is_compressed INTEGER NOT NULL DEFAULT 0, sample_ids BLOB) STRICT;
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
    payload BLOB NOT NULL, interval_start_ms INTEGER, interval_s INTEGER, samples INTEGER NOT NULL DEFAULT 0,
    UNIQUE (destination, kind, dedup_key)
) STRICT;
CREATE INDEX outbox_item_batch ON outbox_item (batch_id) WHERE batch_id IS NOT NULL;
CREATE INDEX outbox_item_interval ON outbox_item (destination, kind, interval_start_ms)
    WHERE interval_start_ms IS NOT NULL;
CREATE INDEX outbox_item_leased ON outbox_item (destination, lease_until_ms)
    WHERE state = 'leased' AND batch_id IS NULL;
CREATE INDEX outbox_item_ordering ON outbox_item (destination, ordering_key, id);
CREATE INDEX outbox_item_pending ON outbox_item (destination, id) WHERE state = 'pending' AND batch_id IS NULL;
CREATE TABLE removed_record (
    source_id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    ordering_key TEXT NOT NULL,
    revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX removed_record_ordering ON removed_record (ordering_key, revision);
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
CREATE TABLE run_metric (
    run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    metric TEXT NOT NULL,
    outcome TEXT NOT NULL,
    days INTEGER,
    records INTEGER,
    reason TEXT,
    PRIMARY KEY (run_id, metric)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_open ON run (id) WHERE ending IS NULL;
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
CREATE TRIGGER sample_page_delete_ends_complete_parts AFTER DELETE ON sample_page
WHEN EXISTS (SELECT 1 FROM complete_part)
BEGIN
    DELETE FROM complete_part;
END;
CREATE TRIGGER sample_page_delete_forgets_days AFTER DELETE ON sample_page
WHEN EXISTS (SELECT 1 FROM attributed_day)
BEGIN
    DELETE FROM attributed_day WHERE day BETWEEN coalesce(date(OLD.day, '-2 days'), '') AND coalesce(date(OLD.last_end_ms / 1000, 'unixepoch', '+2 days'), '~');
END;
CREATE INDEX sample_page_digest ON sample_page (type_id, day, origin_id, digest);
CREATE TRIGGER sample_page_insert_ends_complete_parts AFTER INSERT ON sample_page
WHEN EXISTS (SELECT 1 FROM complete_part)
BEGIN
    DELETE FROM complete_part;
END;
CREATE TRIGGER sample_page_insert_forgets_days AFTER INSERT ON sample_page
WHEN EXISTS (SELECT 1 FROM attributed_day)
BEGIN
    DELETE FROM attributed_day WHERE day BETWEEN coalesce(date(NEW.day, '-2 days'), '') AND coalesce(date(NEW.last_end_ms / 1000, 'unixepoch', '+2 days'), '~');
END;
CREATE TRIGGER sample_page_update_ends_complete_parts AFTER UPDATE ON sample_page
WHEN EXISTS (SELECT 1 FROM complete_part)
BEGIN
    DELETE FROM complete_part;
END;
CREATE TRIGGER sample_page_update_forgets_days AFTER UPDATE ON sample_page
WHEN EXISTS (SELECT 1 FROM attributed_day)
BEGIN
    DELETE FROM attributed_day WHERE day BETWEEN coalesce(date(OLD.day, '-2 days'), '') AND coalesce(date(OLD.last_end_ms / 1000, 'unixepoch', '+2 days'), '~');
    DELETE FROM attributed_day WHERE day BETWEEN coalesce(date(NEW.day, '-2 days'), '') AND coalesce(date(NEW.last_end_ms / 1000, 'unixepoch', '+2 days'), '~');
END;
CREATE TABLE sample_revision (
    type_id INTEGER NOT NULL REFERENCES sample_type (id),
    id BLOB NOT NULL,
    revision INTEGER NOT NULL,
    is_deleted INTEGER NOT NULL,
    PRIMARY KEY (type_id, id)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE sample_type (
    id INTEGER PRIMARY KEY,
    identifier TEXT NOT NULL UNIQUE,
    definition TEXT NOT NULL,
    longest_ms INTEGER NOT NULL
) STRICT;
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
CREATE TRIGGER shoe_session_delete_forgets_days AFTER DELETE ON shoe_session
WHEN EXISTS (SELECT 1 FROM attributed_day)
BEGIN
    DELETE FROM attributed_day WHERE day BETWEEN coalesce(date(OLD.start_ms / 1000, 'unixepoch', '-2 days'), '') AND coalesce(date(OLD.end_ms / 1000, 'unixepoch', '+2 days'), '~');
END;
CREATE TRIGGER shoe_session_insert_forgets_days AFTER INSERT ON shoe_session
WHEN EXISTS (SELECT 1 FROM attributed_day)
BEGIN
    DELETE FROM attributed_day WHERE day BETWEEN coalesce(date(NEW.start_ms / 1000, 'unixepoch', '-2 days'), '') AND coalesce(date(NEW.end_ms / 1000, 'unixepoch', '+2 days'), '~');
END;
CREATE INDEX shoe_session_shoe ON shoe_session (shoe_id);
CREATE INDEX shoe_session_start ON shoe_session (start_ms, end_ms);
CREATE TRIGGER shoe_session_update_forgets_days AFTER UPDATE ON shoe_session
WHEN EXISTS (SELECT 1 FROM attributed_day)
BEGIN
    DELETE FROM attributed_day WHERE day BETWEEN coalesce(date(OLD.start_ms / 1000, 'unixepoch', '-2 days'), '') AND coalesce(date(OLD.end_ms / 1000, 'unixepoch', '+2 days'), '~');
    DELETE FROM attributed_day WHERE day BETWEEN coalesce(date(NEW.start_ms / 1000, 'unixepoch', '-2 days'), '') AND coalesce(date(NEW.end_ms / 1000, 'unixepoch', '+2 days'), '~');
END;
CREATE TABLE shoe_settled (
    day TEXT NOT NULL,
    start_ms INTEGER NOT NULL,
    PRIMARY KEY (day, start_ms)
) STRICT, WITHOUT ROWID;
CREATE VIEW sleep_episode AS
    SELECT day, role, onset_ms, min(start_ms) AS start_ms, max(end_ms) AS end_ms,
        strftime('%Y-%m-%dT%H:%M:%SZ', min(start_ms) / 1000, 'unixepoch') AS start,
        strftime('%Y-%m-%dT%H:%M:%SZ', max(end_ms) / 1000, 'unixepoch') AS "end",
        sum(counted_in_bed_ms) AS in_bed_ms, sum(counted_asleep_ms) AS asleep_ms,
        sum(counted_awake_ms) AS awake_ms, sum(counted_core_ms) AS core_ms,
        sum(counted_deep_ms) AS deep_ms, sum(counted_rem_ms) AS rem_ms,
        sum(counted_unspecified_ms) AS unspecified_ms, count(*) AS sessions
    FROM sleep_session WHERE counts GROUP BY day, role, onset_ms;
CREATE TABLE sleep_session (
    id INTEGER PRIMARY KEY,
    source_id TEXT NOT NULL UNIQUE,
    revision INTEGER NOT NULL,
    day TEXT NOT NULL,
    start_ms INTEGER NOT NULL,
    end_ms INTEGER NOT NULL,
    offset_s INTEGER NOT NULL,
    role TEXT NOT NULL,
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
, onset_ms INTEGER NOT NULL DEFAULT 0, counts INTEGER NOT NULL DEFAULT 0, stretches TEXT NOT NULL DEFAULT '[]', counted_in_bed_ms INTEGER NOT NULL DEFAULT 0, counted_asleep_ms INTEGER NOT NULL DEFAULT 0, counted_awake_ms INTEGER NOT NULL DEFAULT 0, counted_core_ms INTEGER NOT NULL DEFAULT 0, counted_deep_ms INTEGER NOT NULL DEFAULT 0, counted_rem_ms INTEGER NOT NULL DEFAULT 0, counted_unspecified_ms INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX sleep_session_day ON sleep_session (day);
CREATE VIEW sleep_stage AS
    SELECT source_id, day, json_extract(stage.value, '$.stage') AS stage,
        json_extract(stage.value, '$.start') AS start_ms, json_extract(stage.value, '$.end') AS end_ms,
        strftime('%Y-%m-%dT%H:%M:%SZ', json_extract(stage.value, '$.start') / 1000, 'unixepoch') AS start,
        strftime('%Y-%m-%dT%H:%M:%SZ', json_extract(stage.value, '$.end') / 1000, 'unixepoch') AS "end"
    FROM sleep_session, json_each(stages) AS stage;
CREATE TABLE snapshot_line (
    provider TEXT NOT NULL,
    line INTEGER NOT NULL,
    identifier TEXT NOT NULL,
    latest_export_date_ms INTEGER NOT NULL,
    PRIMARY KEY (provider, line, identifier)
) STRICT, WITHOUT ROWID;
CREATE TABLE sync_interval (
    type_id INTEGER NOT NULL REFERENCES layered_type (type_id),
    start_ms INTEGER NOT NULL,
    end_ms INTEGER NOT NULL,
    step_count INTEGER NOT NULL,
    sample_count INTEGER NOT NULL,
    id_sum BLOB NOT NULL,
    PRIMARY KEY (type_id, start_ms)
) STRICT, WITHOUT ROWID;
CREATE TABLE unsent_sample (
    type TEXT NOT NULL,
    utc_day TEXT NOT NULL,
    day TEXT NOT NULL,
    count INTEGER NOT NULL CHECK (count > 0),
    PRIMARY KEY (type, utc_day, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE verification (
    destination TEXT PRIMARY KEY,
    verified_at_ms INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    records INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    differing INTEGER NOT NULL,
    reason TEXT NOT NULL
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
CREATE TABLE zone_evidence (
    provider TEXT NOT NULL,
    instant_ms INTEGER NOT NULL,
    offset_s INTEGER NOT NULL,
    PRIMARY KEY (provider, instant_ms)
) STRICT, WITHOUT ROWID;
CREATE TABLE zone_rules (
    zone TEXT PRIMARY KEY,
    digest BLOB NOT NULL
) STRICT, WITHOUT ROWID;

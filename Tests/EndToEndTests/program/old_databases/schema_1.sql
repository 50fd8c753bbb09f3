-- What the program left of five samples when it still averaged body mass; schema version 1.
PRAGMA application_id = 1213421902;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
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
INSERT INTO "activity_snapshot" VALUES('2024-01-15','snapshot/2024-01-15',1,1250.0,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "daily_progress" VALUES(1,'steps','2024-01-15','steps','steps/2024-01-15',1,1705273200000,'count',1250.0,NULL,NULL,NULL,'[{"source":"com.example.scale","quantity":1250}]','[{"start":1705305600000,"quantity":1250}]');
INSERT INTO "daily_progress" VALUES(2,'bodyMass','2024-01-15','bodyMass','bodyMass/2024-01-15',1,1705273200000,'kg',7.99666666666666685597e+01,79.4,80.5,3,'[{"source":"com.example.scale","quantity":79.96666666666667}]','[{"start":1705298400000,"quantity":80,"minimum":80,"maximum":80,"count":1},{"start":1705320000000,"quantity":80.5,"minimum":80.5,"maximum":80.5,"count":1},{"start":1705348800000,"quantity":79.4,"minimum":79.4,"maximum":79.4,"count":1}]');
INSERT INTO "daily_progress" VALUES(3,'bodyMass','2024-01-16','bodyMass','bodyMass/2024-01-16',1,1705359600000,'kg',79.1,79.1,79.1,1,'[{"source":"com.example.scale","quantity":79.1}]','[{"start":1705384800000,"quantity":79.1,"minimum":79.1,"maximum":79.1,"count":1}]');
CREATE TABLE day_tracking (
    metric TEXT NOT NULL,
    day TEXT NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (metric, day)
) STRICT, WITHOUT ROWID;
INSERT INTO "day_tracking" VALUES('activitySnapshot','2024-01-14',X'6DE1A372A54027513D0851C156E95F2D');
INSERT INTO "day_tracking" VALUES('activitySnapshot','2024-01-15',X'B470EAE2338663845870BF6AFF85FAE1');
INSERT INTO "day_tracking" VALUES('activitySnapshot','2024-01-16',X'4304C1F3F6366B4CDFD53CAA18A4BEF0');
INSERT INTO "day_tracking" VALUES('activitySnapshot','2024-01-17',X'00469AD41D6FE97D6CA4FC698A8E6EF4');
INSERT INTO "day_tracking" VALUES('bodyMass','2024-01-14',X'9F0ACE6142265BB32EF56420BA05047B');
INSERT INTO "day_tracking" VALUES('bodyMass','2024-01-15',X'AB92FBABD070CD342DDCD1E9C356D8EF');
INSERT INTO "day_tracking" VALUES('bodyMass','2024-01-16',X'2148433E10FC17B84377D85D691969F1');
INSERT INTO "day_tracking" VALUES('bodyMass','2024-01-17',X'6A517D3BBDBDE04B3084E97CA04AE2ED');
INSERT INTO "day_tracking" VALUES('steps','2024-01-14',X'4DD8BC7068A2650BCAECDE6D4D1D3438');
INSERT INTO "day_tracking" VALUES('steps','2024-01-15',X'9765CC14BF3F9B0C6C3B095A06EB50C0');
INSERT INTO "day_tracking" VALUES('steps','2024-01-16',X'517C753EFF0D89BFE69DBFDF473B5D53');
INSERT INTO "day_tracking" VALUES('steps','2024-01-17',X'DF03B208099569AD5EB9845599EC0610');
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
CREATE TABLE destination (
    address TEXT PRIMARY KEY,
    last_fence INTEGER NOT NULL DEFAULT 0,
    not_before_ms INTEGER,
    paused_reason TEXT,
    is_disabled INTEGER NOT NULL DEFAULT 0,
    batch_limits TEXT NOT NULL DEFAULT '{}',
    consecutive_failures INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE ingested_source (
    path TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    content TEXT NOT NULL,
    selection BLOB NOT NULL,
    export_date_ms INTEGER,
    ingested_at_ms INTEGER NOT NULL,
    is_complete INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "ingested_source" VALUES('/home/anna/rows.jsonl','jsonLines','954 1795274750.453116 bd01b839-6f77-56b5-9d1e-0e1b352c1eaf',X'396B4898F409D9668F81A4E2EB83F917',NULL,1795274990808,1);
CREATE TABLE origin (
    id INTEGER PRIMARY KEY,
    provider TEXT NOT NULL,
    source_name TEXT NOT NULL,
    device TEXT NOT NULL,
    is_user_entered INTEGER NOT NULL,
    is_pre_aggregated INTEGER NOT NULL,
    UNIQUE (provider, source_name, device, is_user_entered, is_pre_aggregated)
) STRICT;
INSERT INTO "origin" VALUES(1,'jsonLines','com.example.scale','Scale',0,0);
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
CREATE TABLE removed_record (
    source_id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
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
INSERT INTO "sample_page" VALUES(1,1,'2024-01-15',1,3,239.9,1705300200000,1705350600000,X'85274B44E727AAC0C1577061AC384A1B',X'0104000803000000194D000000000000685B0000C8AF0000482001000000000000000000000000000000544000000000002054409A99999999D95340');
INSERT INTO "sample_page" VALUES(2,1,'2024-01-16',1,1,79.1,1705386600000,1705386600000,X'E4A507967352E211BAD7328331283E93',X'01040008010000001A4D000000000000685B000000000000000000006666666666C65340');
INSERT INTO "sample_page" VALUES(3,2,'2024-01-15',1,1,1250.0,1705305600000,1705309200000,X'3F2C7E75E49B5F0BE46740CF788F5B7E',X'0100000201000000194D0000000000008070000080EE360000000000E204');
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
INSERT INTO "sample_type" VALUES(1,'HKQuantityTypeIdentifierBodyMass','{"categoryValues":{},"factors":{"g":0.001,"lb":0.45359237,"oz":0.028349523125,"st":6.35029318},"kind":"discrete","unit":"kg"}',0);
INSERT INTO "sample_type" VALUES(2,'HKQuantityTypeIdentifierStepCount','{"categoryValues":{},"factors":{},"kind":"cumulative","unit":"count"}',3600000);
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
CREATE TABLE snapshot_provider (
    provider TEXT PRIMARY KEY,
    latest_export_date_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sample_page_digest ON sample_page (type_id, day, origin_id, digest);
CREATE INDEX daily_progress_derived_by ON daily_progress (derived_by, day);
CREATE VIEW hour_progress AS
    SELECT metric, day, json_extract(hour.value, '$.start') AS start_ms,
        strftime('%Y-%m-%dT%H:%M:%SZ', json_extract(hour.value, '$.start') / 1000, 'unixepoch') AS start,
        unit, json_extract(hour.value, '$.quantity') AS quantity,
        json_extract(hour.value, '$.minimum') AS minimum, json_extract(hour.value, '$.maximum') AS maximum,
        json_extract(hour.value, '$.count') AS count
    FROM daily_progress, json_each(hours) AS hour;
CREATE INDEX sleep_session_night ON sleep_session (night);
CREATE INDEX sleep_session_day ON sleep_session (day);
CREATE VIEW sleep_stage AS
    SELECT source_id, night, json_extract(stage.value, '$.stage') AS stage,
        json_extract(stage.value, '$.start') AS start_ms, json_extract(stage.value, '$.end') AS end_ms,
        strftime('%Y-%m-%dT%H:%M:%SZ', json_extract(stage.value, '$.start') / 1000, 'unixepoch') AS start,
        strftime('%Y-%m-%dT%H:%M:%SZ', json_extract(stage.value, '$.end') / 1000, 'unixepoch') AS "end"
    FROM sleep_session, json_each(stages) AS stage;
CREATE INDEX outbox_batch_destination ON outbox_batch (destination, key);
CREATE INDEX outbox_item_ordering ON outbox_item (destination, ordering_key, id);
CREATE INDEX outbox_item_pending ON outbox_item (destination, id) WHERE state = 'pending' AND batch_id IS NULL;
CREATE INDEX outbox_item_leased ON outbox_item (destination, lease_until_ms)
    WHERE state = 'leased' AND batch_id IS NULL;
CREATE INDEX outbox_item_batch ON outbox_item (batch_id) WHERE batch_id IS NOT NULL;
DELETE FROM "sqlite_sequence";
COMMIT;

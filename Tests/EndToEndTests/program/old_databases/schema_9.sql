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
INSERT INTO "activity_snapshot" VALUES('2024-01-15','snapshot/2024-01-15',1795364489942,565.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "activity_snapshot" VALUES('2024-01-16','snapshot/2024-01-16',1795364489942,748.0,NULL,335.9,NULL,NULL,30.0);
INSERT INTO "activity_snapshot" VALUES('2024-01-17','snapshot/2024-01-17',1795364489942,655.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "activity_snapshot" VALUES('2024-01-18','snapshot/2024-01-18',1795364489942,568.0,NULL,NULL,NULL,NULL,180.0);
INSERT INTO "activity_snapshot" VALUES('2024-01-19','snapshot/2024-01-19',1795364489942,569.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "activity_snapshot" VALUES('2024-01-20','snapshot/2024-01-20',1795364489942,1270.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "activity_snapshot" VALUES('2024-01-21','snapshot/2024-01-21',1795364489942,1771.0,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE attributed_day (
    day TEXT PRIMARY KEY,
    rules BLOB NOT NULL,
    figures TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE changed_page (
    type_id INTEGER NOT NULL REFERENCES sample_type (id),
    day TEXT NOT NULL,
    origin_id INTEGER NOT NULL REFERENCES origin (id),
    columns BLOB,
    PRIMARY KEY (type_id, day, origin_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE counted_days (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    home_zone TEXT NOT NULL,
    stays TEXT NOT NULL,
    is_whole INTEGER NOT NULL
) STRICT;
INSERT INTO "counted_days" VALUES(1,'UTC','[]',1);
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
INSERT INTO "daily_progress" VALUES(1,'heartRate','2024-01-19','heartRate','heartRate/2024-01-19',1795364489919,1705622400000,'count/min',62.9,60.0,66.0,120,'[{"source":"iPhone","quantity":62.9}]','[{"start":1705654800000,"quantity":62.9,"minimum":60,"maximum":66,"count":120}]');
INSERT INTO "daily_progress" VALUES(2,'activeEnergy','2024-01-16','activeEnergy','activeEnergy/2024-01-16',1795364489919,1705363200000,'kcal',335.9,NULL,NULL,NULL,'[{"source":"Coach","quantity":335.9}]','[{"start":1705399200000,"quantity":335.9}]');
INSERT INTO "daily_progress" VALUES(3,'steps','2024-01-15','steps','steps/2024-01-15',1795364489920,1705276800000,'count',565.0,NULL,NULL,NULL,'[{"source":"Watch","quantity":50},{"source":"iPhone","quantity":1030}]','[{"start":1705320000000,"quantity":565}]');
INSERT INTO "daily_progress" VALUES(4,'steps','2024-01-16','steps','steps/2024-01-16',1795364489920,1705363200000,'count',748.0,NULL,NULL,NULL,'[{"source":"Pod","quantity":77},{"source":"Watch","quantity":155},{"source":"iPhone","quantity":516}]','[{"start":1705392000000,"quantity":105},{"start":1705406400000,"quantity":566},{"start":1705428000000,"quantity":77}]');
INSERT INTO "daily_progress" VALUES(5,'steps','2024-01-17','steps','steps/2024-01-17',1795364489920,1705449600000,'count',655.0,NULL,NULL,NULL,'[{"source":"Pod","quantity":88},{"source":"Watch","quantity":50},{"source":"iPhone","quantity":517}]','[{"start":1705492800000,"quantity":567},{"start":1705514400000,"quantity":88}]');
INSERT INTO "daily_progress" VALUES(6,'steps','2024-01-18','steps','steps/2024-01-18',1795364489920,1705536000000,'count',568.0,NULL,NULL,NULL,'[{"source":"Watch","quantity":50},{"source":"iPhone","quantity":518}]','[{"start":1705579200000,"quantity":568}]');
INSERT INTO "daily_progress" VALUES(7,'steps','2024-01-19','steps','steps/2024-01-19',1795364489920,1705622400000,'count',569.0,NULL,NULL,NULL,'[{"source":"Watch","quantity":50},{"source":"iPhone","quantity":519}]','[{"start":1705665600000,"quantity":569}]');
INSERT INTO "daily_progress" VALUES(8,'steps','2024-01-20','steps','steps/2024-01-20',1795364489920,1705708800000,'count',1270.0,NULL,NULL,NULL,'[{"source":"Fit","quantity":700},{"source":"Watch","quantity":50},{"source":"iPhone","quantity":520}]','[{"start":1705737600000,"quantity":700},{"start":1705752000000,"quantity":570}]');
INSERT INTO "daily_progress" VALUES(9,'steps','2024-01-21','steps','steps/2024-01-21',1795364489920,1705795200000,'count',1771.0,NULL,NULL,NULL,'[{"source":"Fit","quantity":1200},{"source":"Watch","quantity":50},{"source":"iPhone","quantity":521}]','[{"start":1705827600000,"quantity":1200},{"start":1705838400000,"quantity":571}]');
CREATE TABLE day_tracking (
    metric TEXT NOT NULL,
    day TEXT NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (metric, day)
) STRICT, WITHOUT ROWID;
INSERT INTO "day_tracking" VALUES('activeEnergy','2024-01-15',X'2CD6CBF6B1FD1FADAC929A00B5E2C5CF');
INSERT INTO "day_tracking" VALUES('activeEnergy','2024-01-16',X'A3DD4EB22B63EE894EB70E114CC488F5');
INSERT INTO "day_tracking" VALUES('activeEnergy','2024-01-17',X'CFA54170D9034EDBEFF7219ECFC7D5F2');
INSERT INTO "day_tracking" VALUES('activeEnergy','2024-01-18',X'A0C981C92F17BEB3E691AC66DCEC3AB7');
INSERT INTO "day_tracking" VALUES('activitySnapshot','2024-01-14',X'9CDEDAE216C9E5E106B361E12FB1D5FB');
INSERT INTO "day_tracking" VALUES('activitySnapshot','2024-01-15',X'40566F6CE8CB15FCF7ABDCB00E5AB1A1');
INSERT INTO "day_tracking" VALUES('activitySnapshot','2024-01-16',X'1287D52437D4B250F3E396E61E8F0A31');
INSERT INTO "day_tracking" VALUES('activitySnapshot','2024-01-17',X'657878B2F8F242713233E744C6F54FA5');
INSERT INTO "day_tracking" VALUES('activitySnapshot','2024-01-18',X'0C40489B5099F462193BC05FDA9A90D6');
INSERT INTO "day_tracking" VALUES('activitySnapshot','2024-01-19',X'7B198A06B9D00187F361C8DBB493E35B');
INSERT INTO "day_tracking" VALUES('activitySnapshot','2024-01-20',X'8D1CC5860DB8D2CD9E5B6A2C72799BE9');
INSERT INTO "day_tracking" VALUES('activitySnapshot','2024-01-21',X'E24FC3C1A1B31C52D56F486D4C2CAA7C');
INSERT INTO "day_tracking" VALUES('activitySnapshot','2024-01-22',X'D495AA847A3A9AE6A7D7991434A6CAE1');
INSERT INTO "day_tracking" VALUES('activitySnapshot','2024-01-23',X'6C6197772FA93D0E98EBF8C93E089DC8');
INSERT INTO "day_tracking" VALUES('heartRate','2024-01-18',X'82237AE839477DA6D50B27CFFB0439F1');
INSERT INTO "day_tracking" VALUES('heartRate','2024-01-19',X'5B74CF4C569EE26CF1CF96AEE346D1D4');
INSERT INTO "day_tracking" VALUES('heartRate','2024-01-20',X'566399CCBBA7B7188B2EB53D3E117423');
INSERT INTO "day_tracking" VALUES('sleep','2024-01-14',X'2CDC965C43D1F7119B779B0A1A8A5C82');
INSERT INTO "day_tracking" VALUES('sleep','2024-01-15',X'0ABA75280B8F225D317C83EF75E74765');
INSERT INTO "day_tracking" VALUES('sleep','2024-01-16',X'F5996A71161ED723B1816CBB89FC8B1E');
INSERT INTO "day_tracking" VALUES('sleep','2024-01-17',X'070EC8CCC2A2AADB680E40644FB42411');
INSERT INTO "day_tracking" VALUES('sleep','2024-01-18',X'7FED50542488D9E184FABA99D865885E');
INSERT INTO "day_tracking" VALUES('sleep','2024-01-19',X'747BB21E510BD48EA473B0FBCB5290AC');
INSERT INTO "day_tracking" VALUES('sleep','2024-01-20',X'56DC4154EF1F30D4A9191D0F72F5FA42');
INSERT INTO "day_tracking" VALUES('sleep','2024-01-21',X'C0632F6CA586666CF7AE946E4982562F');
INSERT INTO "day_tracking" VALUES('steps','2024-01-14',X'87B1C896BEA156A19B69141855208BFF');
INSERT INTO "day_tracking" VALUES('steps','2024-01-15',X'D5D560BB6703F3DBAD6D2DDBD30B6FF1');
INSERT INTO "day_tracking" VALUES('steps','2024-01-16',X'6AE0FC34AB62A5986CEFFC50DFE31568');
INSERT INTO "day_tracking" VALUES('steps','2024-01-17',X'7E076F12FB67A6B0BD3CD4972F81FBE4');
INSERT INTO "day_tracking" VALUES('steps','2024-01-18',X'ECD661AB83F1632C475701F06ED3CFD9');
INSERT INTO "day_tracking" VALUES('steps','2024-01-19',X'3EB9E1AE8B998519175C990D49787790');
INSERT INTO "day_tracking" VALUES('steps','2024-01-20',X'C1ABA993A1DFEF7D020770715DF833BD');
INSERT INTO "day_tracking" VALUES('steps','2024-01-21',X'AA6BD6F5FD88E7FF9131507AE0768527');
INSERT INTO "day_tracking" VALUES('steps','2024-01-22',X'5CB2FF20A40F55BC5D0893B560AF6BC7');
INSERT INTO "day_tracking" VALUES('steps','2024-01-23',X'B942EDD3B4C2DA2F42739E6B4BE99B58');
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
INSERT INTO "delivered" VALUES(1,'http://server.invalid','progress','heartRate/2024-01-19@1795364489919','heartRate/2024-01-19',1795364489919,0,1,200,0,1795364490048);
INSERT INTO "delivered" VALUES(2,'http://server.invalid','progress','activeEnergy/2024-01-16@1795364489919','activeEnergy/2024-01-16',1795364489919,0,1,200,0,1795364490048);
INSERT INTO "delivered" VALUES(3,'http://server.invalid','progress','steps/2024-01-15@1795364489920','steps/2024-01-15',1795364489920,0,1,200,0,1795364490048);
INSERT INTO "delivered" VALUES(4,'http://server.invalid','progress','steps/2024-01-16@1795364489920','steps/2024-01-16',1795364489920,0,1,200,0,1795364490048);
INSERT INTO "delivered" VALUES(5,'http://server.invalid','progress','steps/2024-01-17@1795364489920','steps/2024-01-17',1795364489920,0,1,200,0,1795364490048);
INSERT INTO "delivered" VALUES(6,'http://server.invalid','progress','steps/2024-01-18@1795364489920','steps/2024-01-18',1795364489920,0,1,200,0,1795364490048);
INSERT INTO "delivered" VALUES(7,'http://server.invalid','progress','steps/2024-01-19@1795364489920','steps/2024-01-19',1795364489920,0,1,200,0,1795364490048);
INSERT INTO "delivered" VALUES(8,'http://server.invalid','progress','steps/2024-01-20@1795364489920','steps/2024-01-20',1795364489920,0,1,200,0,1795364490048);
INSERT INTO "delivered" VALUES(9,'http://server.invalid','progress','steps/2024-01-21@1795364489920','steps/2024-01-21',1795364489920,0,1,200,0,1795364490048);
INSERT INTO "delivered" VALUES(10,'http://server.invalid','sleep','d0f0b1e8-707a-5253-8a9c-de5add47c370@1795364489919','d0f0b1e8-707a-5253-8a9c-de5add47c370',1795364489919,0,1,200,0,1795364490072);
INSERT INTO "delivered" VALUES(11,'http://server.invalid','sleep','82937ea7-9852-5c3e-9a80-e541c97b7be9@1795364489919','82937ea7-9852-5c3e-9a80-e541c97b7be9',1795364489919,0,1,200,0,1795364490072);
INSERT INTO "delivered" VALUES(12,'http://server.invalid','sleep','e0b4021f-7bc6-595e-afd4-f631f2e0ebdc@1795364489919','e0b4021f-7bc6-595e-afd4-f631f2e0ebdc',1795364489919,0,1,200,0,1795364490072);
INSERT INTO "delivered" VALUES(13,'http://server.invalid','snapshots','snapshot/2024-01-15@1795364489942','snapshot/2024-01-15',1795364489942,0,1,200,0,1795364490078);
INSERT INTO "delivered" VALUES(14,'http://server.invalid','snapshots','snapshot/2024-01-16@1795364489942','snapshot/2024-01-16',1795364489942,0,1,200,0,1795364490078);
INSERT INTO "delivered" VALUES(15,'http://server.invalid','snapshots','snapshot/2024-01-17@1795364489942','snapshot/2024-01-17',1795364489942,0,1,200,0,1795364490078);
INSERT INTO "delivered" VALUES(16,'http://server.invalid','snapshots','snapshot/2024-01-18@1795364489942','snapshot/2024-01-18',1795364489942,0,1,200,0,1795364490078);
INSERT INTO "delivered" VALUES(17,'http://server.invalid','snapshots','snapshot/2024-01-19@1795364489942','snapshot/2024-01-19',1795364489942,0,1,200,0,1795364490078);
INSERT INTO "delivered" VALUES(18,'http://server.invalid','snapshots','snapshot/2024-01-20@1795364489942','snapshot/2024-01-20',1795364489942,0,1,200,0,1795364490078);
INSERT INTO "delivered" VALUES(19,'http://server.invalid','snapshots','snapshot/2024-01-21@1795364489942','snapshot/2024-01-21',1795364489942,0,1,200,0,1795364490078);
CREATE TABLE destination (
    address TEXT PRIMARY KEY,
    last_fence INTEGER NOT NULL DEFAULT 0,
    not_before_ms INTEGER,
    paused_reason TEXT,
    is_disabled INTEGER NOT NULL DEFAULT 0,
    batch_limits TEXT NOT NULL DEFAULT '{}',
    consecutive_failures INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
INSERT INTO "destination" VALUES('http://server.invalid',9,NULL,NULL,0,'{}',0);
CREATE TABLE ingested_source (
    path TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    content TEXT NOT NULL,
    selection BLOB NOT NULL,
    export_date_ms INTEGER,
    ingested_at_ms INTEGER NOT NULL,
    is_complete INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "ingested_source" VALUES('/home/anna/export.xml','appleHealth','63422 1795364489646924441 378d7af85c26c20ea866091fbee4022e',X'68A60077EAFAFF46AE8DB3D2719C9A72',1705910400000,1795364489902,1);
INSERT INTO "ingested_source" VALUES('/home/anna/feed.jsonl','jsonLines','480 1795364489653737288 4292a65d69b7dcccdc2e6cef4bcd36ac',X'68A60077EAFAFF46AE8DB3D2719C9A72',NULL,1795364489904,1);
CREATE TABLE interval_delivery (
    destination TEXT NOT NULL,
    kind TEXT NOT NULL,
    start_ms INTEGER NOT NULL,
    synced_at_ms INTEGER,
    PRIMARY KEY (destination, kind, start_ms)
) STRICT, WITHOUT ROWID;
INSERT INTO "interval_delivery" VALUES('http://server.invalid','samples/activeEnergyBurned',978307200000,1795364490080);
INSERT INTO "interval_delivery" VALUES('http://server.invalid','samples/heartRate',978307200000,1795364490084);
INSERT INTO "interval_delivery" VALUES('http://server.invalid','samples/sleepAnalysis',978307200000,1795364490083);
INSERT INTO "interval_delivery" VALUES('http://server.invalid','steps',978307200000,1795364490090);
CREATE TABLE layered_type (
    type_id INTEGER PRIMARY KEY REFERENCES sample_type (id),
    kind TEXT NOT NULL UNIQUE,
    measure TEXT NOT NULL,
    measure_limit INTEGER NOT NULL,
    generation INTEGER NOT NULL
) STRICT;
INSERT INTO "layered_type" VALUES(1,'samples/sleepAnalysis','samples',2000,2);
INSERT INTO "layered_type" VALUES(2,'samples/activeEnergyBurned','samples',2000,2);
INSERT INTO "layered_type" VALUES(3,'samples/heartRate','samples',2000,2);
INSERT INTO "layered_type" VALUES(4,'steps','steps',10000,2);
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
CREATE TABLE origin (
    id INTEGER PRIMARY KEY,
    provider TEXT NOT NULL,
    source_name TEXT NOT NULL,
    device TEXT NOT NULL,
    is_user_entered INTEGER NOT NULL,
    is_pre_aggregated INTEGER NOT NULL,
    UNIQUE (provider, source_name, device, is_user_entered, is_pre_aggregated)
) STRICT;
INSERT INTO "origin" VALUES(1,'appleHealth','Watch','name:Apple Watch, manufacturer:Apple Inc., model:Apple Watch, hardware:Watch7,2, software:11.0, creation date:2023-01-01 08:00:00 +0000',0,0);
INSERT INTO "origin" VALUES(2,'appleHealth','Watch','name:Apple Watch, manufacturer:Apple Inc., model:Apple Watch, hardware:Watch7,2, software:11.1, creation date:2024-01-18 01:00:00 +0000',0,0);
INSERT INTO "origin" VALUES(3,'appleHealth','Coach','',0,0);
INSERT INTO "origin" VALUES(4,'appleHealth','iPhone','name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone14,5, software:17.2, creation date:2023-01-01 08:00:00 +0000',0,0);
INSERT INTO "origin" VALUES(5,'appleHealth','iPhone','name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone14,5, software:17.2, creation date:2024-01-19 08:00:00 +0000',0,0);
INSERT INTO "origin" VALUES(6,'appleHealth','Fit','',0,0);
INSERT INTO "origin" VALUES(7,'appleHealth','Fit','name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone14,5, software:17.2, creation date:2023-01-01 08:00:00 +0000',0,0);
INSERT INTO "origin" VALUES(8,'jsonLines','Pod','',0,0);
INSERT INTO "origin" VALUES(9,'jsonLines','iPhone','',0,0);
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
CREATE TABLE removed_record (
    source_id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    ordering_key TEXT NOT NULL,
    revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
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
INSERT INTO "run" VALUES(1,'historical',1795364489893,1795364490091,'completed','2024-01-14','2024-01-23',2,0,174,155,19,0,0,0,7,23,0,0,155,NULL,NULL,NULL,NULL);
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
INSERT INTO "run_metric" VALUES(1,'activeEnergy','synced',4,1,NULL);
INSERT INTO "run_metric" VALUES(1,'exerciseMinutes','nothingNew',NULL,NULL,NULL);
INSERT INTO "run_metric" VALUES(1,'heartRate','synced',3,1,NULL);
INSERT INTO "run_metric" VALUES(1,'restingHeartRate','nothingNew',NULL,NULL,NULL);
INSERT INTO "run_metric" VALUES(1,'sleep','synced',8,3,NULL);
INSERT INTO "run_metric" VALUES(1,'steps','synced',10,7,NULL);
INSERT INTO "run_metric" VALUES(1,'walkingDistance','nothingNew',NULL,NULL,NULL);
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
INSERT INTO "sample_page" VALUES(1,1,'2024-01-15',1,1,4.0,1705361400000,1705363200000,X'3CEEF3F85F1AD5EB7C3332479F9804C2',X'0110000101000000194D000000000000784A010040771B000000000004010000000000000001240030424144434146452D303030302D343030302D383030302D303030303030303030303031');
INSERT INTO "sample_page" VALUES(2,1,'2024-01-16',1,1,4.0,1705383000000,1705384800000,X'79A762159A2DAAE23A48EC6314911364',X'01100001010000001A4D000000000000584D000040771B000000000004010000000000000001240030424144434146452D303030302D343030302D383030302D303030303030303030303031');
INSERT INTO "sample_page" VALUES(3,1,'2024-01-17',1,2,7.0,1705532400000,1705536000000,X'96CF708A46914548AD6E7D5EDDA2F68A',X'01000001020000001B4D00000000000070430100784A010040771B00000000000403');
INSERT INTO "sample_page" VALUES(4,1,'2024-01-18',1,4,14.0,1705536000000,1705543200000,X'FA5BB78502FD2E575B21E64F5C51B189',X'01000001040000001C4D0000000000000000000008070000100E00001815000040771B000000000004030403');
INSERT INTO "sample_page" VALUES(5,1,'2024-01-18',2,6,21.0,1705543200000,1705554000000,X'08095FBCB8E839BBCFE6962F5BB1E73F',X'01000001060000001C4D000000000000201C000028230000302A00003831000040380000483F000040771B0000000000040304030403');
INSERT INTO "sample_page" VALUES(6,2,'2024-01-16',3,1,335.9,1705399800000,1705402800000,X'E300E06EA0B18497701F891BE6305AA7',X'01140008010000001A4D000000000000F88E0000C0C62D00000000006666666666FE7440010000000000000001240030424144434146452D303030302D343030302D383030302D303030303030303030303033');
INSERT INTO "sample_page" VALUES(7,3,'2024-01-19',4,60,3774.0,1705654800000,1705658340000,X'A49B3D3CDF48B44F764F70F88F04DB9F',X'010000013C0000001D4D000000000000907E0000CC7E0000087F0000447F0000807F0000BC7F0000F87F00003480000070800000AC800000E880000024810000608100009C810000D881000014820000508200008C820000C882000004830000408300007C830000B8830000F4830000308400006C840000A8840000E4840000208500005C85000098850000D4850000108600004C86000088860000C4860000008700003C87000078870000B4870000F08700002C88000068880000A4880000E08800001C8900005889000094890000D08900000C8A0000488A0000848A0000C08A0000FC8A0000388B0000748B0000B08B0000EC8B0000288C0000648C000000000000000000003C3D3E3F4041423C3D3E3F4041423C3D3E3F4041423C3D3E3F4041423C3D3E3F4041423C3D3E3F4041423C3D3E3F4041423C3D3E3F4041423C3D3E3F');
INSERT INTO "sample_page" VALUES(8,3,'2024-01-19',5,60,3774.0,1705654800000,1705658340000,X'30F02FB813CF24E8E299CCE7000D6ADE',X'010000013C0000001D4D000000000000907E0000CC7E0000087F0000447F0000807F0000BC7F0000F87F00003480000070800000AC800000E880000024810000608100009C810000D881000014820000508200008C820000C882000004830000408300007C830000B8830000F4830000308400006C840000A8840000E4840000208500005C85000098850000D4850000108600004C86000088860000C4860000008700003C87000078870000B4870000F08700002C88000068880000A4880000E08800001C8900005889000094890000D08900000C8A0000488A0000848A0000C08A0000FC8A0000388B0000748B0000B08B0000EC8B0000288C0000648C000000000000000000003C3D3E3F4041423C3D3E3F4041423C3D3E3F4041423C3D3E3F4041423C3D3E3F4041423C3D3E3F4041423C3D3E3F4041423C3D3E3F4041423C3D3E3F');
INSERT INTO "sample_page" VALUES(9,4,'2024-01-20',6,1,700.0,1705737600000,1705739400000,X'6EA73FCAECF855213F106C27AD959709',X'01100002010000001E4D0000000000008070000040771B0000000000BC02010000000000000003060077616C6B2031FFFFFFFFFF000000');
INSERT INTO "sample_page" VALUES(10,4,'2024-01-21',7,1,1200.0,1705827600000,1705828800000,X'63CC8BAB632CAF5BADD8CCF7F6826E4C',X'01100002010000001F4D000000000000907E0000804F120000000000B004010000000000000003060077616C6B20310000000000010000');
INSERT INTO "sample_page" VALUES(11,4,'2024-01-15',1,1,50.0,1705320900000,1705321200000,X'E57D064B38F39C9B87F63FA4E868FBB6',X'0100000101000000194D00000000000044AC0000E09304000000000032');
INSERT INTO "sample_page" VALUES(12,4,'2024-01-16',1,2,155.0,1705395000000,1705407600000,X'F35D240FD7C3F0A390306F421BF23442',X'01100201020000001A4D000000000000387C000044AC000058022C016932010000000000000001240030424144434146452D303030302D343030302D383030302D303030303030303030303032');
INSERT INTO "sample_page" VALUES(13,4,'2024-01-17',1,1,50.0,1705493700000,1705494000000,X'7CC82E7DF185A60AF0A6C1F5AFB64B95',X'01000001010000001B4D00000000000044AC0000E09304000000000032');
INSERT INTO "sample_page" VALUES(14,4,'2024-01-18',2,1,50.0,1705580100000,1705580400000,X'48620FD814F300DFC8A6D40B7170F588',X'01000001010000001C4D00000000000044AC0000E09304000000000032');
INSERT INTO "sample_page" VALUES(15,4,'2024-01-19',2,1,50.0,1705666500000,1705666800000,X'EDD18D97641641B48C124C50E705ADC0',X'01000001010000001D4D00000000000044AC0000E09304000000000032');
INSERT INTO "sample_page" VALUES(16,4,'2024-01-20',2,1,50.0,1705752900000,1705753200000,X'050E6B1AB84A3F95C970C58BFAB0A91A',X'01000001010000001E4D00000000000044AC0000E09304000000000032');
INSERT INTO "sample_page" VALUES(17,4,'2024-01-21',2,1,50.0,1705839300000,1705839600000,X'446587052B4888F8548C9A947CDED0F4',X'01000001010000001F4D00000000000044AC0000E09304000000000032');
INSERT INTO "sample_page" VALUES(18,4,'2024-01-15',4,1,515.0,1705320000000,1705320600000,X'876264B3C57F91621A529B180D1D587C',X'0100000201000000194D000000000000C0A80000C0270900000000000302');
INSERT INTO "sample_page" VALUES(19,4,'2024-01-16',4,1,516.0,1705406400000,1705407000000,X'47834DA5F874E61DECBCDF2358C56CB3',X'01000002010000001A4D000000000000C0A80000C0270900000000000402');
INSERT INTO "sample_page" VALUES(20,4,'2024-01-17',4,1,517.0,1705492800000,1705493400000,X'E80CA5FBB2DC17A564341B9FAC612BA1',X'01000002010000001B4D000000000000C0A80000C0270900000000000502');
INSERT INTO "sample_page" VALUES(21,4,'2024-01-18',4,1,518.0,1705579200000,1705579800000,X'6EC35E7B3554D240A15E3CFF8378199E',X'01000002010000001C4D000000000000C0A80000C0270900000000000602');
INSERT INTO "sample_page" VALUES(22,4,'2024-01-19',4,1,519.0,1705665600000,1705666200000,X'0FBECB98DEFACE66D7AB3E2AE7C909AC',X'01000002010000001D4D000000000000C0A80000C0270900000000000702');
INSERT INTO "sample_page" VALUES(23,4,'2024-01-20',4,1,520.0,1705752000000,1705752600000,X'CD5A99E8A71B2EC2539BE5AD24A34535',X'01000002010000001E4D000000000000C0A80000C0270900000000000802');
INSERT INTO "sample_page" VALUES(24,4,'2024-01-21',4,1,521.0,1705838400000,1705839000000,X'3786BAD6A71D3E211CDE78304A3BD822',X'01000002010000001F4D000000000000C0A80000C0270900000000000902');
INSERT INTO "sample_page" VALUES(25,4,'2024-01-16',8,1,77.0,1705428000000,1705428600000,X'96EE7E99C7F7874AB940613AD6A071CF',X'01100001010000001A4D00000000000020FD0000C0270900000000004D010000000000000001240030626164636166652D303030302D343030302D383030302D303030303030303030303062');
INSERT INTO "sample_page" VALUES(26,4,'2024-01-17',8,1,88.0,1705514400000,1705515000000,X'EB0089C71D33360CA1C88E296EBB5CB2',X'01100001010000001B4D00000000000020FD0000C0270900000000005801000000000000000303006C61700400000000000000');
INSERT INTO "sample_page" VALUES(27,4,'2024-01-15',9,1,515.0,1705320000250,1705320600125,X'29ACE0305D14ACCDE33623FC66177B8A',X'0113000201000000194D000000000000FA2E930243270900000000000302010000000000000001240030626164636166652D303030302D343030302D383030302D303030303030303030303061');
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
INSERT INTO "sample_type" VALUES(1,'HKCategoryTypeIdentifierSleepAnalysis','{"categoryValues":{"HKCategoryValueSleepAnalysisAsleep":1,"HKCategoryValueSleepAnalysisAsleepCore":3,"HKCategoryValueSleepAnalysisAsleepDeep":4,"HKCategoryValueSleepAnalysisAsleepREM":5,"HKCategoryValueSleepAnalysisAsleepUnspecified":1,"HKCategoryValueSleepAnalysisAwake":2,"HKCategoryValueSleepAnalysisInBed":0},"factors":{},"kind":"category","unit":""}',1800000);
INSERT INTO "sample_type" VALUES(2,'HKQuantityTypeIdentifierActiveEnergyBurned','{"categoryValues":{},"factors":{"Cal":1,"J":0.0002390057361376673,"cal":0.001,"kJ":0.2390057361376673},"kind":"cumulative","unit":"kcal"}',3000000);
INSERT INTO "sample_type" VALUES(3,'HKQuantityTypeIdentifierHeartRate','{"categoryValues":{},"factors":{"Hz":60,"bpm":1,"count/s":60},"kind":"discrete","unit":"count/min"}',0);
INSERT INTO "sample_type" VALUES(4,'HKQuantityTypeIdentifierStepCount','{"categoryValues":{},"factors":{},"kind":"cumulative","unit":"count"}',1800000);
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
CREATE TABLE shoe_session (
    id TEXT PRIMARY KEY,
    shoe_id TEXT NOT NULL REFERENCES shoe (id),
    start_ms INTEGER NOT NULL,
    end_ms INTEGER CHECK (end_ms > start_ms),
    is_auto_started INTEGER NOT NULL,
    is_auto_closed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE shoe_settled (
    day TEXT NOT NULL,
    start_ms INTEGER NOT NULL,
    PRIMARY KEY (day, start_ms)
) STRICT, WITHOUT ROWID;
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
INSERT INTO "sleep_session" VALUES(1,'d0f0b1e8-707a-5253-8a9c-de5add47c370',1795364489919,'2024-01-16','2024-01-16',1705383000000,1705384800000,0,'main',1,'Watch','name:Apple Watch, manufacturer:Apple Inc., model:Apple Watch, hardware:Watch7,2, software:11.0, creation date:2023-01-01 08:00:00 +0000',0,0,1800000,1800000,0,0,1800000,0,0,'[{"stage":"deep","start":1705383000000,"end":1705384800000}]');
INSERT INTO "sleep_session" VALUES(2,'82937ea7-9852-5c3e-9a80-e541c97b7be9',1795364489919,'2024-01-18','2024-01-18',1705532400000,1705543200000,0,'main',1,'Watch','name:Apple Watch, manufacturer:Apple Inc., model:Apple Watch, hardware:Watch7,2, software:11.0, creation date:2023-01-01 08:00:00 +0000',0,0,10800000,10800000,0,5400000,5400000,0,0,'[{"stage":"deep","start":1705532400000,"end":1705534200000},{"stage":"core","start":1705534200000,"end":1705536000000},{"stage":"deep","start":1705536000000,"end":1705537800000},{"stage":"core","start":1705537800000,"end":1705539600000},{"stage":"deep","start":1705539600000,"end":1705541400000},{"stage":"core","start":1705541400000,"end":1705543200000}]');
INSERT INTO "sleep_session" VALUES(3,'e0b4021f-7bc6-595e-afd4-f631f2e0ebdc',1795364489919,'2024-01-18','2024-01-18',1705543200000,1705554000000,0,'main',0,'Watch','name:Apple Watch, manufacturer:Apple Inc., model:Apple Watch, hardware:Watch7,2, software:11.1, creation date:2024-01-18 01:00:00 +0000',0,0,10800000,10800000,0,5400000,5400000,0,0,'[{"stage":"deep","start":1705543200000,"end":1705545000000},{"stage":"core","start":1705545000000,"end":1705546800000},{"stage":"deep","start":1705546800000,"end":1705548600000},{"stage":"core","start":1705548600000,"end":1705550400000},{"stage":"deep","start":1705550400000,"end":1705552200000},{"stage":"core","start":1705552200000,"end":1705554000000}]');
CREATE TABLE snapshot_line (
    provider TEXT NOT NULL,
    line INTEGER NOT NULL,
    identifier TEXT NOT NULL,
    latest_export_date_ms INTEGER NOT NULL,
    PRIMARY KEY (provider, line, identifier)
) STRICT, WITHOUT ROWID;
INSERT INTO "snapshot_line" VALUES('appleHealth',0,'HKCategoryTypeIdentifierSleepAnalysis',1705910400000);
INSERT INTO "snapshot_line" VALUES('appleHealth',0,'HKQuantityTypeIdentifierActiveEnergyBurned',1705910400000);
INSERT INTO "snapshot_line" VALUES('appleHealth',0,'HKQuantityTypeIdentifierAppleExerciseTime',1705910400000);
INSERT INTO "snapshot_line" VALUES('appleHealth',0,'HKQuantityTypeIdentifierDistanceWalkingRunning',1705910400000);
INSERT INTO "snapshot_line" VALUES('appleHealth',0,'HKQuantityTypeIdentifierHeartRate',1705910400000);
INSERT INTO "snapshot_line" VALUES('appleHealth',0,'HKQuantityTypeIdentifierRestingHeartRate',1705910400000);
INSERT INTO "snapshot_line" VALUES('appleHealth',0,'HKQuantityTypeIdentifierStepCount',1705910400000);
CREATE TABLE sync_interval (
    type_id INTEGER NOT NULL REFERENCES layered_type (type_id),
    start_ms INTEGER NOT NULL,
    end_ms INTEGER NOT NULL,
    step_count INTEGER NOT NULL,
    sample_count INTEGER NOT NULL,
    id_sum BLOB NOT NULL,
    PRIMARY KEY (type_id, start_ms)
) STRICT, WITHOUT ROWID;
INSERT INTO "sync_interval" VALUES(1,978307200000,2052049024000,0,14,X'FB04329E47F1A68C3ECF0B2DA4610EB9');
INSERT INTO "sync_interval" VALUES(2,978307200000,2052049024000,0,1,X'0BADCAFE000040008000000000000003');
INSERT INTO "sync_interval" VALUES(3,978307200000,2052049024000,0,120,X'735D2BDA4E352A3E1B6089AD2516F438');
INSERT INTO "sync_interval" VALUES(4,978307200000,2052049024000,6661,20,X'BCD735FB96A9818978A3FCE35DF9E3F9');
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
CREATE UNIQUE INDEX shoe_default ON shoe (default_since_ms IS NULL) WHERE default_since_ms IS NOT NULL;
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
CREATE INDEX outbox_item_interval ON outbox_item (destination, kind, interval_start_ms)
    WHERE interval_start_ms IS NOT NULL;
CREATE TRIGGER sample_page_insert_forgets_days AFTER INSERT ON sample_page
WHEN EXISTS (SELECT 1 FROM attributed_day)
BEGIN
    DELETE FROM attributed_day WHERE day BETWEEN coalesce(date(NEW.day, '-2 days'), '') AND coalesce(date(NEW.last_end_ms / 1000, 'unixepoch', '+2 days'), '~');
END;
CREATE TRIGGER sample_page_update_forgets_days AFTER UPDATE ON sample_page
WHEN EXISTS (SELECT 1 FROM attributed_day)
BEGIN
    DELETE FROM attributed_day WHERE day BETWEEN coalesce(date(OLD.day, '-2 days'), '') AND coalesce(date(OLD.last_end_ms / 1000, 'unixepoch', '+2 days'), '~');
    DELETE FROM attributed_day WHERE day BETWEEN coalesce(date(NEW.day, '-2 days'), '') AND coalesce(date(NEW.last_end_ms / 1000, 'unixepoch', '+2 days'), '~');
END;
CREATE TRIGGER sample_page_delete_forgets_days AFTER DELETE ON sample_page
WHEN EXISTS (SELECT 1 FROM attributed_day)
BEGIN
    DELETE FROM attributed_day WHERE day BETWEEN coalesce(date(OLD.day, '-2 days'), '') AND coalesce(date(OLD.last_end_ms / 1000, 'unixepoch', '+2 days'), '~');
END;
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
CREATE TRIGGER daily_progress_delete_forgets_days AFTER DELETE ON daily_progress
WHEN EXISTS (SELECT 1 FROM attributed_day)
BEGIN
    DELETE FROM attributed_day WHERE day BETWEEN OLD.day AND OLD.day;
END;
CREATE TRIGGER shoe_session_insert_forgets_days AFTER INSERT ON shoe_session
WHEN EXISTS (SELECT 1 FROM attributed_day)
BEGIN
    DELETE FROM attributed_day WHERE day BETWEEN coalesce(date(NEW.start_ms / 1000, 'unixepoch', '-2 days'), '') AND coalesce(date(NEW.end_ms / 1000, 'unixepoch', '+2 days'), '~');
END;
CREATE TRIGGER shoe_session_update_forgets_days AFTER UPDATE ON shoe_session
WHEN EXISTS (SELECT 1 FROM attributed_day)
BEGIN
    DELETE FROM attributed_day WHERE day BETWEEN coalesce(date(OLD.start_ms / 1000, 'unixepoch', '-2 days'), '') AND coalesce(date(OLD.end_ms / 1000, 'unixepoch', '+2 days'), '~');
    DELETE FROM attributed_day WHERE day BETWEEN coalesce(date(NEW.start_ms / 1000, 'unixepoch', '-2 days'), '') AND coalesce(date(NEW.end_ms / 1000, 'unixepoch', '+2 days'), '~');
END;
CREATE TRIGGER shoe_session_delete_forgets_days AFTER DELETE ON shoe_session
WHEN EXISTS (SELECT 1 FROM attributed_day)
BEGIN
    DELETE FROM attributed_day WHERE day BETWEEN coalesce(date(OLD.start_ms / 1000, 'unixepoch', '-2 days'), '') AND coalesce(date(OLD.end_ms / 1000, 'unixepoch', '+2 days'), '~');
END;
CREATE INDEX run_open ON run (id) WHERE ending IS NULL;
CREATE INDEX removed_record_ordering ON removed_record (ordering_key, revision);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('outbox_item',25);
INSERT INTO "sqlite_sequence" VALUES('outbox_batch',9);
COMMIT;
PRAGMA user_version = 9;
PRAGMA application_id = 1213421902;

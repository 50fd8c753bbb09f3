-- A database of schema 2, the last one with samples as rows. `local` has two types, stored in turns, with gaps between
-- positions, tombstones, revisions, and samples without an origin; `anna` has one.
CREATE SCHEMA healthsync;
SET search_path TO healthsync;
CREATE TABLE schema_version (
    version bigint PRIMARY KEY,
    migrated_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE users (
    user_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE
);
CREATE TABLE positions (
    user_id integer PRIMARY KEY REFERENCES users,
    last_position bigint NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE series (
    user_id integer NOT NULL REFERENCES users,
    series_id integer GENERATED ALWAYS AS IDENTITY,
    type text COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id, series_id),
    UNIQUE (user_id, type)
);
CREATE TABLE origins (
    user_id integer NOT NULL REFERENCES users,
    origin_id integer GENERATED ALWAYS AS IDENTITY,
    bundle_id text COLLATE "C" NOT NULL,
    device_name text COLLATE "C",
    unit text COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id, origin_id)
);
CREATE INDEX origins_by_content ON origins (user_id, bundle_id, coalesce(device_name, ''));
CREATE TABLE samples (
    id uuid NOT NULL,
    position bigint NOT NULL,
    start_ms bigint NOT NULL,
    end_ms bigint NOT NULL CHECK (end_ms >= start_ms),
    value double precision NOT NULL,
    revision bigint NOT NULL,
    user_id integer NOT NULL,
    series_id integer NOT NULL,
    origin_id integer,
    is_deleted boolean NOT NULL,
    is_uppercase boolean NOT NULL,
    PRIMARY KEY (user_id, series_id, id)
) PARTITION BY HASH (user_id);
CREATE UNIQUE INDEX samples_by_position ON samples (user_id, series_id, position);
CREATE INDEX samples_by_start ON samples (user_id, series_id, start_ms);
CREATE TABLE records (
    user_id integer NOT NULL,
    kind text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    is_deleted boolean NOT NULL,
    type text COLLATE "C" NOT NULL,
    granularity text COLLATE "C" NOT NULL,
    day date NOT NULL,
    start_ms bigint NOT NULL,
    body text NOT NULL,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    PRIMARY KEY (user_id, kind, id)
) PARTITION BY HASH (user_id);
CREATE INDEX records_by_day ON records (user_id, kind, day, start_ms, id);
CREATE INDEX records_by_type ON records (user_id, kind, type, granularity, day, start_ms, id);
DO $$ BEGIN
    FOR part IN 0..15 LOOP
        EXECUTE format('CREATE TABLE samples_%s PARTITION OF samples
            FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
        EXECUTE format('CREATE TABLE records_%s PARTITION OF records
            FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
    END LOOP;
END $$;
CREATE TABLE batch_keys (
    user_id integer NOT NULL REFERENCES users,
    key text COLLATE "C" NOT NULL,
    content bytea NOT NULL CHECK (length(content) = 16),
    received_ms bigint NOT NULL,
    PRIMARY KEY (user_id, key)
);
CREATE INDEX batch_keys_by_time ON batch_keys (received_ms);
CREATE TABLE tokens (
    token_id text COLLATE "C" PRIMARY KEY,
    secret_digest bytea NOT NULL CHECK (length(secret_digest) = 32),
    user_name text COLLATE "C" NOT NULL,
    scopes text NOT NULL,
    created_ms bigint NOT NULL,
    expires_ms bigint,
    last_used_ms bigint,
    revoked_ms bigint
);

INSERT INTO healthsync.schema_version (version) VALUES (1), (2);
SET search_path TO healthsync;
INSERT INTO users (name) VALUES ('local'), ('anna');
INSERT INTO positions VALUES (1, 1250), (2, 40);
INSERT INTO series (user_id, type) VALUES (1, 'steps'), (1, 'heartRate'), (2, 'steps');
INSERT INTO origins (user_id, bundle_id, device_name, unit) VALUES
    (1, 'com.apple.health', 'Watch', 'count'), (1, 'app', NULL, 'count/min'), (2, 'app', 'Phone', 'count');
INSERT INTO samples (user_id, series_id, position, origin_id, id, start_ms, end_ms, value, revision, is_deleted, is_uppercase)
    SELECT CASE WHEN i > 1200 THEN 2 ELSE 1 END, CASE WHEN i > 1200 THEN 3 ELSE 1 + (i / 20) % 2 END,
        CASE WHEN i > 1200 THEN i - 1200 ELSE i END,
        CASE WHEN i % 17 = 0 THEN NULL WHEN i > 1200 THEN 3 ELSE 1 + i % 2 END, md5(i::text)::uuid,
        1700000000000 + (i * 7919 % 5000) * 60000, 1700000060000 + (i * 7919 % 5000) * 60000 + i, i / 8.0,
        CASE WHEN i % 11 = 0 THEN i ELSE 0 END, i % 13 = 0, i % 7 = 0
    FROM generate_series(1, 1230) AS i WHERE i % 37 <> 0;

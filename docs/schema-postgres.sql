CREATE TABLE batch_keys (
    user_id integer NOT NULL,
    key text COLLATE "C" NOT NULL,
    content bytea NOT NULL,
    received_ms bigint NOT NULL,
    PRIMARY KEY (user_id, key),
    FOREIGN KEY (user_id) REFERENCES users(user_id),
    CHECK ((length(content) = 16))
);
CREATE INDEX batch_keys_by_time ON healthsync.batch_keys USING btree (received_ms);
CREATE TABLE origins (
    user_id integer NOT NULL,
    origin_id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
    bundle_id text COLLATE "C" NOT NULL,
    device_name text COLLATE "C",
    unit text COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id, origin_id),
    FOREIGN KEY (user_id) REFERENCES users(user_id)
);
CREATE INDEX origins_by_content ON healthsync.origins USING btree (user_id, bundle_id, COALESCE(device_name, ''::text));
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
-- in 16 parts
CREATE INDEX records_by_day ON ONLY healthsync.records USING btree (user_id, kind, day, start_ms, id);
CREATE INDEX records_by_type ON ONLY healthsync.records USING btree (user_id, kind, type, granularity, day, start_ms, id);
CREATE TABLE sample_pages (
    user_id integer NOT NULL,
    series_id integer NOT NULL,
    first_position bigint NOT NULL,
    change bigint NOT NULL,
    count integer NOT NULL,
    alive integer NOT NULL,
    revised integer NOT NULL,
    first_start_ms bigint NOT NULL,
    last_start_ms bigint NOT NULL,
    last_end_ms bigint NOT NULL,
    digest_high bigint NOT NULL,
    digest_low bigint NOT NULL,
    digest_content bigint NOT NULL,
    offsets bytea,
    id_heads bytea NOT NULL,
    fingerprints bytea NOT NULL,
    columns bytea NOT NULL,
    PRIMARY KEY (user_id, series_id, first_position),
    CHECK ((length(offsets) = (4 * count))),
    CHECK ((length(id_heads) = (12 * count))),
    CHECK ((length(fingerprints) = (4 * count))),
    CHECK ((count > 0))
) PARTITION BY HASH (user_id);
-- in 16 parts
CREATE TABLE schema_version (
    version bigint NOT NULL,
    migrated_at timestamp with time zone NOT NULL DEFAULT now(),
    PRIMARY KEY (version)
);
CREATE TABLE series (
    user_id integer NOT NULL,
    series_id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
    type text COLLATE "C" NOT NULL,
    change bigint NOT NULL DEFAULT 0,
    emptied bigint NOT NULL DEFAULT 0,
    last_position bigint NOT NULL DEFAULT 0,
    alive bigint NOT NULL DEFAULT 0,
    rows_after bigint,
    PRIMARY KEY (user_id, series_id),
    FOREIGN KEY (user_id) REFERENCES users(user_id),
    UNIQUE (user_id, type)
);
CREATE TABLE tokens (
    token_id text COLLATE "C" NOT NULL,
    secret_digest bytea NOT NULL,
    user_name text COLLATE "C" NOT NULL,
    scopes text NOT NULL,
    created_ms bigint NOT NULL,
    expires_ms bigint,
    last_used_ms bigint,
    revoked_ms bigint,
    parent_id text COLLATE "C",
    PRIMARY KEY (token_id),
    CHECK ((length(secret_digest) = 32))
);
CREATE TABLE user_locks (
    user_id integer NOT NULL,
    PRIMARY KEY (user_id),
    FOREIGN KEY (user_id) REFERENCES users(user_id)
);
CREATE TABLE users (
    user_id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
    name text COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id),
    UNIQUE (name)
);

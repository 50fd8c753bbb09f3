extension PostgresMigration {
    /// Creates the tables of received data, the tokens and the schema version.
    ///
    /// `user_id` is in every key, so that rows can be distributed over machines by it; `users` and `tokens` are small
    /// and exist on every machine. Times are milliseconds since 1970.
    static let migration0001 = PostgresMigration(
        number: 1,
        sql: """
            CREATE SCHEMA healthsync;
            CREATE TABLE schema_version (
                version bigint PRIMARY KEY,
                migrated_at timestamptz NOT NULL DEFAULT now()
            );
            CREATE TABLE users (
                user_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                name text COLLATE "C" NOT NULL UNIQUE
            );
            -- The last position given to a sample of the user. Who writes for a user locks this row.
            CREATE TABLE positions (
                user_id integer PRIMARY KEY REFERENCES users,
                last_position bigint NOT NULL
            ) WITH (fillfactor = 50);
            -- One row a user and type of samples.
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
            -- position: the user's order of storing. No foreign keys: their look-ups would cost as much as the
            -- insertion, and rows of users, series and origins are never deleted.
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
            -- Sleep sessions, entries of metrics, snapshots. body is canonical JSON.
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
            """)
}

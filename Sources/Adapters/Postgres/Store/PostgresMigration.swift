/// A numbered change of the schema, made in one transaction. A released migration is never edited.
struct PostgresMigration {
    let number: Int64
    let sql: String

    static let all = [migration0001, migration0002, migration0003, migration0004]

    /// The advisory lock `HSPG`, held during a migration, so that of several processes that start at once only one
    /// migrates.
    private static let lock: Int64 = 0x4853_5047

    /// Throws if `numbers` are not 1, 2, 3 and so on: with a gap or a duplicate a migration would be silently skipped.
    static func requireConsecutive(_ numbers: [Int64]) throws(PostgresError) {
        guard numbers != Array(1..<Int64(numbers.count) + 1) else { return }
        throw PostgresError(
            kind: .notConnected, sqlState: "", message: "the schema migrations are not consecutive: \(numbers)",
            advice: "report this as a bug")
    }

    /// Applies every missing migration.
    static func migrate(_ connection: PostgresConnection) throws {
        try requireConsecutive(all.map(\.number))
        let latest = Int64(all.count)
        var version = try version(of: connection)
        for migration in all where migration.number > version {
            try connection.run([.begin])
            // Waits for the migration of another process without a limit, and for locks on tables with the usual limit.
            try connection.execute(
                """
                SET LOCAL statement_timeout TO 0; SET LOCAL lock_timeout TO 0; SELECT pg_advisory_xact_lock(\(lock));
                SET LOCAL lock_timeout TO '\(SessionSettings.lockTimeout)'
                """)
            // Another process may have applied it while this one waited for the lock.
            version = try self.version(of: connection)
            if version < migration.number {
                try connection.execute(migration.sql)
                try connection.execute("INSERT INTO schema_version (version) VALUES (\(migration.number))")
            }
            try connection.run([.commit])
        }
        guard version <= latest else {
            throw PostgresError(
                kind: .notConnected, sqlState: "",
                message: "the database has schema \(version); this program supports \(latest)",
                advice: "update healthsync")
        }
    }

    private static func version(of connection: PostgresConnection) throws -> Int64 {
        // Reads the catalog itself, because a session may cache an older result of `to_regclass`.
        let exists = try connection.run(
            """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_tables
                WHERE schemaname = 'healthsync' AND tablename = 'schema_version')
            """)
        guard try exists.first({ try $0.bool() }) == true else { return 0 }
        return try connection.run("SELECT coalesce(max(version), 0) FROM healthsync.schema_version")
            .first { try $0.integer() } ?? 0
    }

    /// Creates the tables of received data, the tokens and the schema version.
    ///
    /// `user_id` is in every key, so that rows can be distributed over machines by it; `users` and `tokens` are small
    /// and exist on every machine. Times are milliseconds since 1970.
    private static let migration0001 = PostgresMigration(
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

    /// Adds the day to the ids of hours (`steps/hour/2024-01-15/2024-01-15T08:00:00Z`), so that days of two zones can
    /// each contain an hour. Tombstones keep their old ids, because their days are unknown. If a newer client has
    /// already sent the hour under its new id, that record stays.
    private static let migration0002 = PostgresMigration(
        number: 2,
        sql: """
            CREATE TEMP TABLE renamed ON COMMIT DROP AS
                SELECT user_id, id AS old_id,
                    type || '/hour/' || to_char(day, 'YYYY-MM-DD') || substr(id, length(type) + 6) AS new_id
                FROM records
                WHERE kind = 'progress' AND granularity = 'hour' AND NOT is_deleted
                    AND id = type || '/hour/' || substr(id, length(type) + 7)
                    AND strpos(substr(id, length(type) + 7), '/') = 0;
            DELETE FROM records USING renamed, records AS newer
                WHERE records.user_id = renamed.user_id AND records.kind = 'progress'
                    AND records.id = renamed.old_id AND newer.user_id = renamed.user_id
                    AND newer.kind = 'progress' AND newer.id = renamed.new_id;
            UPDATE records SET id = renamed.new_id,
                body = replace(body, '"' || renamed.old_id || '"', '"' || renamed.new_id || '"')
                FROM renamed
                WHERE records.user_id = renamed.user_id AND records.kind = 'progress'
                    AND records.id = renamed.old_id;
            """)

    /// Adds pages of samples. The rows of earlier versions stay readable in `sample_rows` until they are packed
    /// (`RowPacking`). Servers of earlier versions that still run find neither `samples` nor `positions` and store
    /// nothing more.
    private static let migration0003 = PostgresMigration(
        number: 3,
        sql: """
            ALTER TABLE positions RENAME TO user_locks;
            -- change: the number of writes. emptied: the one that last removed all samples. alive: the samples in pages
            -- that are not deleted. rows_after: samples after this position are still in sample_rows; NULL if none are.
            ALTER TABLE series ADD COLUMN change bigint NOT NULL DEFAULT 0,
                ADD COLUMN emptied bigint NOT NULL DEFAULT 0, ADD COLUMN last_position bigint NOT NULL DEFAULT 0,
                ADD COLUMN alive bigint NOT NULL DEFAULT 0, ADD COLUMN rows_after bigint;
            ALTER TABLE series SET (fillfactor = 50);
            ALTER TABLE samples RENAME TO sample_rows;
            DO $$ BEGIN
                IF EXISTS (SELECT FROM sample_rows) THEN
                    UPDATE series SET rows_after = 0, last_position = l.last_position
                        FROM user_locks l WHERE l.user_id = series.user_id;
                ELSE
                    DROP TABLE sample_rows;
                END IF;
            END $$;
            -- Only its rows matter: a write for a user locks the row of the user.
            ALTER TABLE user_locks DROP COLUMN last_position;
            -- Samples of one user and type, packed as docs/server.md describes. change: the write that stored or changed
            -- the page. alive, times and digest cover the samples that are not deleted. revised: those that are deleted
            -- or have a revision other than 0. No foreign keys: their look-ups would cost as much as the insertion, and
            -- rows of users and series are never deleted.
            CREATE TABLE sample_pages (
                user_id integer NOT NULL,
                series_id integer NOT NULL,
                first_position bigint NOT NULL,
                change bigint NOT NULL,
                count integer NOT NULL CHECK (count > 0),
                alive integer NOT NULL,
                revised integer NOT NULL,
                first_start_ms bigint NOT NULL,
                last_start_ms bigint NOT NULL,
                last_end_ms bigint NOT NULL,
                digest_high bigint NOT NULL,
                digest_low bigint NOT NULL,
                digest_content bigint NOT NULL,
                offsets bytea CHECK (length(offsets) = 4 * count),
                id_heads bytea NOT NULL CHECK (length(id_heads) = 12 * count),
                fingerprints bytea NOT NULL CHECK (length(fingerprints) = 4 * count),
                columns bytea NOT NULL,
                PRIMARY KEY (user_id, series_id, first_position)
            ) PARTITION BY HASH (user_id);
            DO $$ BEGIN
                FOR part IN 0..15 LOOP
                    EXECUTE format('CREATE TABLE sample_pages_%s PARTITION OF sample_pages
                        FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
                    -- Ids do not compress, and compressing the rest takes longer than writing it.
                    EXECUTE format('ALTER TABLE sample_pages_%s ALTER offsets SET STORAGE EXTERNAL,
                        ALTER id_heads SET STORAGE EXTERNAL, ALTER fingerprints SET STORAGE EXTERNAL,
                        ALTER columns SET STORAGE EXTERNAL', part);
                END LOOP;
            END $$;
            """)

    /// Stores which token created another one in the browser, so that both are revoked together.
    private static let migration0004 = PostgresMigration(
        number: 4, sql: #"ALTER TABLE tokens ADD COLUMN parent_id text COLLATE "C""#)
}

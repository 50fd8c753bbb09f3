extension PostgresMigration {
    /// Adds pages of samples. The rows of earlier versions stay readable in `sample_rows` until they are packed
    /// (`RowPacking`). Servers of earlier versions that still run find neither `samples` nor `positions` and store
    /// nothing more.
    static let migration0003 = PostgresMigration(
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
}

extension Migration {
    /// Adds shoes and their sessions. The tables are described in docs/database.md.
    static let shoes = Migration(
        number: 2,
        sql: """
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
            CREATE TABLE shoe_settled (
                day TEXT NOT NULL,
                start_ms INTEGER NOT NULL,
                PRIMARY KEY (day, start_ms)
            ) STRICT, WITHOUT ROWID;
            """)

    /// Adds the intervals in which raw samples are delivered, and outbox items that refer to samples instead of
    /// containing them.
    static let layering = Migration(
        number: 3,
        sql: """
            CREATE TABLE layered_type (
                type_id INTEGER PRIMARY KEY REFERENCES sample_type (id),
                kind TEXT NOT NULL UNIQUE,
                measure TEXT NOT NULL,
                measure_limit INTEGER NOT NULL,
                generation INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE sync_interval (
                type_id INTEGER NOT NULL REFERENCES layered_type (type_id),
                start_ms INTEGER NOT NULL,
                end_ms INTEGER NOT NULL,
                step_count INTEGER NOT NULL,
                sample_count INTEGER NOT NULL,
                id_sum BLOB NOT NULL,
                PRIMARY KEY (type_id, start_ms)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE interval_delivery (
                destination TEXT NOT NULL,
                kind TEXT NOT NULL,
                start_ms INTEGER NOT NULL,
                synced_at_ms INTEGER,
                PRIMARY KEY (destination, kind, start_ms)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE sample_revision (
                type_id INTEGER NOT NULL REFERENCES sample_type (id),
                id BLOB NOT NULL,
                revision INTEGER NOT NULL,
                is_deleted INTEGER NOT NULL,
                PRIMARY KEY (type_id, id)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE changed_page (
                type_id INTEGER NOT NULL REFERENCES sample_type (id),
                day TEXT NOT NULL,
                origin_id INTEGER NOT NULL REFERENCES origin (id),
                columns BLOB,
                PRIMARY KEY (type_id, day, origin_id)
            ) STRICT, WITHOUT ROWID;
            ALTER TABLE outbox_item ADD COLUMN interval_start_ms INTEGER;
            ALTER TABLE outbox_item ADD COLUMN interval_s INTEGER;
            ALTER TABLE outbox_item ADD COLUMN samples INTEGER NOT NULL DEFAULT 0;
            CREATE INDEX outbox_item_interval ON outbox_item (destination, kind, interval_start_ms)
                WHERE interval_start_ms IS NOT NULL;
            ALTER TABLE outbox_batch ADD COLUMN is_compressed INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE outbox_batch ADD COLUMN sample_ids BLOB;
            """)

    /// Adds the distance walked in each pair of shoes by day, valid as long as its inputs do not change. Triggers on
    /// pages, records of progress and sessions delete the days that a change may affect, with a margin of two days,
    /// because a sample may carry its own zone and the user's calendar day differs from the UTC day.
    static let attributedDays = Migration(
        number: 4,
        sql: """
            CREATE TABLE attributed_day (
                day TEXT PRIMARY KEY,
                rules BLOB NOT NULL,
                figures TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;

            """
                + forgetting("sample_page") { row in
                    (
                        "coalesce(date(\(row).day, '-2 days'), '')",
                        "coalesce(date(\(row).last_end_ms / 1000, 'unixepoch', '+2 days'), '~')"
                    )
                }
                + forgetting("daily_progress") { row in ("\(row).day", "\(row).day") }
                + forgetting("shoe_session") { row in
                    (
                        "coalesce(date(\(row).start_ms / 1000, 'unixepoch', '-2 days'), '')",
                        "coalesce(date(\(row).end_ms / 1000, 'unixepoch', '+2 days'), '~')"
                    )
                })

    /// Returns triggers that delete a range of days when a row of `table` is inserted, updated or deleted.
    private static func forgetting(
        _ table: String, _ days: (_ row: String) -> (first: String, last: String)
    ) -> String {
        [("insert", ["NEW"]), ("update", ["OLD", "NEW"]), ("delete", ["OLD"])].map { event, rows in
            let removals = rows.map { row in
                let (first, last) = days(row)
                return "    DELETE FROM attributed_day WHERE day BETWEEN \(first) AND \(last);\n"
            }
            return """
                CREATE TRIGGER \(table)_\(event)_forgets_days AFTER \(event.uppercased()) ON \(table)
                WHEN EXISTS (SELECT 1 FROM attributed_day)
                BEGIN
                \(removals.joined())END;

                """
        }.joined()
    }

    /// Adds the last runs: what was requested, how each ended, and its counts.
    static let runs = Migration(
        number: 5,
        sql: """
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
            CREATE INDEX run_open ON run (id) WHERE ending IS NULL;
            CREATE TABLE run_metric (
                run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
                metric TEXT NOT NULL,
                outcome TEXT NOT NULL,
                days INTEGER,
                records INTEGER,
                reason TEXT,
                PRIMARY KEY (run_id, metric)
            ) STRICT, WITHOUT ROWID;
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
            """)

    /// Adds the zones that stored days were derived with. An older database has no row until a run determines them.
    static let storedDayZones = Migration(
        number: 6,
        sql: """
            CREATE TABLE counted_days (
                id INTEGER PRIMARY KEY CHECK (id = 1),
                home_zone TEXT NOT NULL,
                stays TEXT NOT NULL,
                is_whole INTEGER NOT NULL
            ) STRICT;
            """)

    /// Adds the types that exports were read for. An older database only knows the date of the latest export of a
    /// format, which is assumed to have been read for every type that has or had samples.
    static let snapshotTypes = Migration(
        number: 7,
        sql: """
            CREATE TABLE snapshot_type (
                provider TEXT NOT NULL,
                identifier TEXT NOT NULL,
                latest_export_date_ms INTEGER NOT NULL,
                PRIMARY KEY (provider, identifier)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO snapshot_type (provider, identifier, latest_export_date_ms)
                SELECT DISTINCT provider, identifier, latest_export_date_ms
                FROM (SELECT type_id, origin_id FROM sample_page UNION SELECT type_id, origin_id FROM sample_tombstone)
                    JOIN sample_type ON sample_type.id = type_id
                    JOIN origin ON origin.id = origin_id
                    JOIN snapshot_provider USING (provider);
            DROP TABLE snapshot_provider;
            """)

    /// Stores deleted hours under the ids that servers know, which contain the day.
    ///
    /// Nothing is lost or duplicated: the outbox and the ledger refer to progress by ids without a day, so those rows
    /// are deleted, and the next run with a server sends every day again under its current revision. A server that has
    /// the day has renamed its hours in its own migration and answers duplicate; a server that lost an hour to another
    /// day with the same hour stores it. Deletions that were waiting, rejected or delivered are kept in
    /// `removed_record` and sent under the new ids, unless the hour exists again. Records that the user dropped stay
    /// dropped.
    static let removedEntries = Migration(
        number: 8,
        sql: """
            -- Copied, because SQLite cannot rename a table while views call functions.
            CREATE TEMP TABLE removed_before AS SELECT source_id, kind, revision FROM removed_record;
            DROP TABLE removed_record;
            CREATE TABLE removed_record (
                source_id TEXT PRIMARY KEY,
                kind TEXT NOT NULL,
                ordering_key TEXT NOT NULL,
                revision INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX removed_record_ordering ON removed_record (ordering_key, revision);
            INSERT INTO removed_record (source_id, kind, ordering_key, revision)
                SELECT CASE kind
                    WHEN 'progress' THEN substr(source_id, 1, length(source_id) - 10) || 'day/' || substr(source_id, -10)
                    ELSE source_id END, kind, source_id, revision
                FROM removed_before;
            DROP TABLE removed_before;
            INSERT INTO removed_record (source_id, kind, ordering_key, revision)
                SELECT metric || '/hour/' || day || '/' || start, 'progress', ordering_key, max(revision)
                FROM (
                    SELECT ordering_key, revision, substr(ordering_key, 1, length(ordering_key) - 11) AS metric,
                        substr(ordering_key, -10) AS day, substr(dedup_key, length(ordering_key) - 4, 20) AS start
                    FROM (
                        SELECT ordering_key, dedup_key, revision FROM outbox_item
                            WHERE kind = 'progress' AND is_tombstone
                        UNION ALL
                        SELECT ordering_key, dedup_key, revision FROM delivered
                            WHERE kind = 'progress' AND is_tombstone AND NOT is_dropped
                    )
                    WHERE substr(dedup_key, length(ordering_key) - 10, 6) = '/hour/'
                ) AS gone
                WHERE NOT EXISTS (SELECT 1 FROM daily_progress AS present, json_each(present.hours) AS hour
                    WHERE present.metric = gone.metric AND present.day = gone.day
                        AND strftime('%Y-%m-%dT%H:%M:%SZ', json_extract(hour.value, '$.start') / 1000, 'unixepoch')
                            = gone.start)
                GROUP BY metric, day, start;
            DELETE FROM outbox_item WHERE kind = 'progress';
            DELETE FROM outbox_batch WHERE kind = 'progress';
            DELETE FROM delivered WHERE kind = 'progress' AND (is_tombstone OR NOT is_dropped);
            """)

    /// Adds the content of export lineages in the local store. In an older database all samples belong to the first
    /// lineage until an export shows otherwise.
    static let snapshotLineages = Migration(
        number: 9,
        sql: """
            CREATE TABLE snapshot_line (
                provider TEXT NOT NULL,
                line INTEGER NOT NULL,
                identifier TEXT NOT NULL,
                latest_export_date_ms INTEGER NOT NULL,
                PRIMARY KEY (provider, line, identifier)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO snapshot_line (provider, line, identifier, latest_export_date_ms)
                SELECT provider, 0, identifier, latest_export_date_ms FROM snapshot_type;
            DROP TABLE snapshot_type;
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
            """)
}

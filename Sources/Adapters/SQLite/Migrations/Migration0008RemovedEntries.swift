extension Migration {
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
}

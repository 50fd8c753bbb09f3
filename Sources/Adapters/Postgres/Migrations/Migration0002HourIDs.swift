extension PostgresMigration {
    /// Adds the day to the ids of hours (`steps/hour/2024-01-15/2024-01-15T08:00:00Z`), so that days of two zones can
    /// each contain an hour. Tombstones keep their old ids, because their days are unknown. If a newer client has
    /// already sent the hour under its new id, that record stays.
    static let migration0002 = PostgresMigration(
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
}

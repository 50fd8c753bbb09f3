extension Migration {
    /// Adds the day to the ids of hours (`steps/hour/2024-01-15/2024-01-15T08:00:00Z`), so that days of two zones can
    /// each contain an hour. Tombstones keep their old ids, because their days are unknown. If a newer client has
    /// already sent the hour under its new id, that record stays.
    static let hourIDs = Migration(
        number: 3,
        sql: """
            CREATE TEMP TABLE renamed AS
                SELECT record_id, user_id, id AS old_id,
                    type || '/hour/' || day || substr(id, length(type) + 6) AS new_id
                FROM records
                WHERE kind = 'progress' AND granularity = 'hour' AND NOT is_deleted
                    AND id = type || '/hour/' || substr(id, length(type) + 7)
                    AND instr(substr(id, length(type) + 7), '/') = 0;
            DELETE FROM records WHERE record_id IN (
                SELECT renamed.record_id FROM renamed
                JOIN records AS newer ON newer.user_id = renamed.user_id AND newer.kind = 'progress'
                    AND newer.id = renamed.new_id);
            UPDATE records SET id = renamed.new_id,
                body = replace(body, '"' || renamed.old_id || '"', '"' || renamed.new_id || '"')
                FROM renamed WHERE renamed.record_id = records.record_id;
            DROP TABLE renamed;
            """)
}

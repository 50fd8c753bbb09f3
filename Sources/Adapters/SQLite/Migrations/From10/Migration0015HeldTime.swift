extension Migration {
    /// Adds the time for which measurements hold, which weights means over time.
    ///
    /// Stored days have none until the next run derives them again because of the handler's new version.
    static let heldTime = Migration(
        number: 15,
        sql: """
            ALTER TABLE daily_progress ADD COLUMN held_ms INTEGER;
            DROP VIEW hour_progress;
            CREATE VIEW hour_progress AS
                SELECT metric, day, json_extract(hour.value, '$.start') AS start_ms,
                    strftime('%Y-%m-%dT%H:%M:%SZ', json_extract(hour.value, '$.start') / 1000, 'unixepoch') AS start,
                    unit, json_extract(hour.value, '$.quantity') AS quantity,
                    json_extract(hour.value, '$.minimum') AS minimum, json_extract(hour.value, '$.maximum') AS maximum,
                    json_extract(hour.value, '$.count') AS count, json_extract(hour.value, '$.held_ms') AS held_ms
                FROM daily_progress, json_each(hours) AS hour;
            """)
}

extension Migration {
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
}

extension Migration {
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

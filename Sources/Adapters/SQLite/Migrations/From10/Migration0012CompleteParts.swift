extension Migration {
    /// Adds the parts that are complete as long as their inputs do not change (decision 21). Triggers delete a row when
    /// an input changes. An older database has no rows: its next run compares all days once.
    static let completeParts = Migration(
        number: 12,
        sql: """
            CREATE TABLE complete_part (
                part TEXT PRIMARY KEY,
                rules BLOB NOT NULL
            ) STRICT, WITHOUT ROWID;

            """
                + ["insert", "update", "delete"].map { event in
                    """
                    CREATE TRIGGER sample_page_\(event)_ends_complete_parts AFTER \(event.uppercased()) ON sample_page
                    WHEN EXISTS (SELECT 1 FROM complete_part)
                    BEGIN
                        DELETE FROM complete_part;
                    END;

                    """
                }.joined()
                    + """
                    CREATE TRIGGER day_tracking_delete_ends_complete_parts AFTER DELETE ON day_tracking
                    WHEN EXISTS (SELECT 1 FROM complete_part)
                    BEGIN
                        DELETE FROM complete_part
                        WHERE part IN ('metric/' || OLD.metric, 'metric/activitySnapshot') OR substr(part, 1, 7) = 'server/';
                    END;
                    CREATE TRIGGER delivered_delete_ends_complete_parts AFTER DELETE ON delivered
                    WHEN EXISTS (SELECT 1 FROM complete_part)
                    BEGIN
                        DELETE FROM complete_part WHERE part = 'server/' || OLD.destination;
                    END;
                    """)
}

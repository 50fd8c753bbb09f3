extension Migration {
    /// What is complete as long as nothing changes that it follows from (decision 21). Whoever changes that, in whatever
    /// way, removes the rows with it. A database of before has none: the next run compares all days once.
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

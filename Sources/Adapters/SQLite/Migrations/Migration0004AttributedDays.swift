extension Migration {
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
}

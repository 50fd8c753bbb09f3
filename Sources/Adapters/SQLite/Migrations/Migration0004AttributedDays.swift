extension Migration {
    /// What was walked in which shoes, by days, for as long as nothing changes that it follows from. Whoever changes a
    /// page, a record of progress or a session, in whatever way, removes with it the days that it may touch: with a margin
    /// of two, because a sample may state a zone of its own and a day of the person's clock is not one of UTC.
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

    /// Triggers by which a row of `table` that comes, changes or goes removes the days from a first to a last one.
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

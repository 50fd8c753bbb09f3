extension Migration {
    /// By which zones the stored days were counted. A database of before has no row until a run finds out.
    static let countedDays = Migration(
        number: 6,
        sql: """
            CREATE TABLE counted_days (
                id INTEGER PRIMARY KEY CHECK (id = 1),
                home_zone TEXT NOT NULL,
                stays TEXT NOT NULL,
                is_whole INTEGER NOT NULL
            ) STRICT;
            """)
}

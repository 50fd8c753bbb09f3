extension Migration {
    /// Adds the zones that stored days were derived with. An older database has no row until a run determines them.
    static let storedDayZones = Migration(
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

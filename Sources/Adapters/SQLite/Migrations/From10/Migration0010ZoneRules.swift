extension Migration {
    /// The rules of zones that stored days follow from. A database from before has none, so that its next run derives
    /// every day again.
    static let zoneRules = Migration(
        number: 10,
        sql: """
            CREATE TABLE zone_rules (
                zone TEXT PRIMARY KEY,
                digest BLOB NOT NULL
            ) STRICT, WITHOUT ROWID;
            """)
}

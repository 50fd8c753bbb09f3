extension Migration {
    /// Adds the digests of the zone rules that stored days were derived with. An older database has none, so its next
    /// run derives every day again.
    static let zoneRules = Migration(
        number: 10,
        sql: """
            CREATE TABLE zone_rules (
                zone TEXT PRIMARY KEY,
                digest BLOB NOT NULL
            ) STRICT, WITHOUT ROWID;
            """)
}

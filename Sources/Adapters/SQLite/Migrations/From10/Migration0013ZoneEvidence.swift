extension Migration {
    /// Adds the UTC offsets that sources report, as evidence of the user's time zone.
    static let zoneEvidence = Migration(
        number: 13,
        sql: """
            CREATE TABLE zone_evidence (
                provider TEXT NOT NULL,
                instant_ms INTEGER NOT NULL,
                offset_s INTEGER NOT NULL,
                PRIMARY KEY (provider, instant_ms)
            ) STRICT, WITHOUT ROWID;
            """)
}

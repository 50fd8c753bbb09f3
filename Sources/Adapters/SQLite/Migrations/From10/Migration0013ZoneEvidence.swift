extension Migration {
    /// What sources state of the clocks that the user lives by.
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

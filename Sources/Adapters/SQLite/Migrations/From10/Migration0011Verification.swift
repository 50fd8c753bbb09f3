extension Migration {
    /// Adds the result of the last verification of each server.
    static let verification = Migration(
        number: 11,
        sql: """
            CREATE TABLE verification (
                destination TEXT PRIMARY KEY,
                verified_at_ms INTEGER NOT NULL,
                verdict TEXT NOT NULL,
                records INTEGER NOT NULL,
                samples INTEGER NOT NULL,
                differing INTEGER NOT NULL,
                reason TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            """)
}

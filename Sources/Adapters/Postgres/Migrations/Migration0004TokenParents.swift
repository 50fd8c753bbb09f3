extension PostgresMigration {
    /// Stores which token created another one in the browser, so that both are revoked together.
    static let migration0004 = PostgresMigration(
        number: 4, sql: #"ALTER TABLE tokens ADD COLUMN parent_id text COLLATE "C""#)
}

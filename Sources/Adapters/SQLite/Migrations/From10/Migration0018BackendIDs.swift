extension Migration {
    /// Adds the ids that servers give to delivered records.
    static let backendIDs = Migration(number: 18, sql: "ALTER TABLE delivered ADD COLUMN backend_id TEXT;")
}

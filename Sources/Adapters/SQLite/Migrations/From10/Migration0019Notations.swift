extension Migration {
    /// Adds how the value of a deleted sample was written.
    ///
    /// From this schema on, pages contain the unit and the digits of values (version 2 of their layout), which earlier
    /// versions of the program cannot read. Stored pages stay as they are until their samples are imported again.
    static let notations = Migration(number: 19, sql: "ALTER TABLE deleted_sample ADD COLUMN written BLOB;")
}

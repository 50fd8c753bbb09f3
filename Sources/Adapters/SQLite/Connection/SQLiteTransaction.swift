/// The write transaction that is open, and what is remembered between them. Not to be kept beyond its end.
final class SQLiteTransaction {
    let connection: SQLiteConnection
    /// Row ids of types and origins met so far.
    let references: ReferenceRows

    init(connection: SQLiteConnection, references: ReferenceRows) {
        self.connection = connection
        self.references = references
    }
}

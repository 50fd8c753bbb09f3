/// The open write transaction and the row ids cached between transactions. It must not be kept after its end.
final class SQLiteTransaction {
    let connection: SQLiteConnection
    /// The row ids of types and origins seen so far.
    let references: ReferenceRows

    init(connection: SQLiteConnection, references: ReferenceRows) {
        self.connection = connection
        self.references = references
    }
}

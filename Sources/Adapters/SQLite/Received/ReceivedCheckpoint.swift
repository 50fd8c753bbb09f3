/// Brings the log into the database.
enum ReceivedCheckpoint: String {
    /// As much as nobody reads.
    case passive
    /// All of it; the log is empty then.
    case truncate

    /// Without waiting: a reader may hold the log in use, and the rest is then left to the next time.
    func attempt(over connection: SQLiteConnection) throws {
        connection.setBusyTimeout(milliseconds: 0)
        defer { SQLitePragmas.setBusyTimeout(of: connection) }
        _ = try isDone(over: connection)
    }

    /// Waits for readers as long as a connection does; whether nothing was left.
    func isDone(over connection: SQLiteConnection) throws -> Bool {
        try connection.first("PRAGMA wal_checkpoint(\(rawValue))") { try $0.integer() } == 0
    }
}

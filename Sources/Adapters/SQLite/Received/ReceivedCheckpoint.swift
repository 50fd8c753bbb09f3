/// Copies the write-ahead log into the database.
enum ReceivedCheckpoint: String {
    /// Copies as much as readers allow.
    case passive
    /// Copies everything and empties the log.
    case truncate

    /// Runs without waiting. If a reader uses the log, the rest is left to the next checkpoint.
    func attempt(over connection: SQLiteConnection) throws {
        connection.setBusyTimeout(milliseconds: 0)
        defer { SQLitePragmas.setBusyTimeout(of: connection) }
        _ = try isComplete(over: connection)
    }

    /// Waits for readers up to the busy timeout; returns whether everything was copied.
    func isComplete(over connection: SQLiteConnection) throws -> Bool {
        try connection.first("PRAGMA wal_checkpoint(\(rawValue))") { try $0.integer() } == 0
    }
}

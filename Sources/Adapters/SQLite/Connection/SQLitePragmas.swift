import HealthSyncDomain

/// The settings of a connection, in the order in which they are made. Each is read back: SQLite ignores what it does
/// not know, and a setting that did not take would cost data later.
enum SQLitePragmas {
    /// How long a statement waits for another connection, in milliseconds.
    static let busyTimeoutMilliseconds: Int32 = 5_000

    /// Before anything else is asked of the file.
    static func setBusyTimeout(of connection: SQLiteConnection) {
        connection.setBusyTimeout(milliseconds: busyTimeoutMilliseconds)
    }

    /// Makes the one writing connection durable: a commit that returned is still there after a power cut.
    /// - Parameter pageBytes: size of a database page of a new file. Pages of samples are a few kilobytes; larger database
    ///   pages waste less behind them.
    static func setUpWriter(_ connection: SQLiteConnection, pageBytes: Int = 8_192) throws {
        try connection.execute("PRAGMA page_size = \(pageBytes)")
        try set("journal_mode", "wal", of: connection)
        try set("synchronous", "2", of: connection)
        try set("foreign_keys", "1", of: connection)
        try set("trusted_schema", "0", of: connection)
        // Checkpoints are made between transactions, by this connection alone.
        try set("wal_autocheckpoint", "0", of: connection)
        try set("cell_size_check", "1", of: connection)
        try set("temp_store", "2", of: connection)
        try set("cache_size", "-8192", of: connection)
        // Only macOS knows a difference between fsync and reaching the disk.
        try set("fullfsync", "1", of: connection)
        try set("checkpoint_fullfsync", "1", of: connection)
    }

    /// Makes a reading connection.
    static func setUpReader(_ connection: SQLiteConnection) throws {
        try set("query_only", "1", of: connection)
        try set("trusted_schema", "0", of: connection)
        try set("cell_size_check", "1", of: connection)
        try set("temp_store", "2", of: connection)
        try set("cache_size", "-4096", of: connection)
    }

    private static func set(_ name: String, _ value: String, of connection: SQLiteConnection) throws {
        try connection.execute("PRAGMA \(name) = \(value)")
        let isText = Int(value) == nil
        let found = try connection.first("PRAGMA \(name)") { row in isText ? try row.text() : String(try row.integer())
        }
        guard found == value else {
            throw SyncFailure(
                .storage, subject: connection.path,
                reason: "the setting \(name) is \(found ?? "absent") and not \(value)",
                advice: "keep the data folder on a local disk, not on a network share")
        }
    }
}

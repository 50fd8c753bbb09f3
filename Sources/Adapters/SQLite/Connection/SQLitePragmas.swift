import HealthSyncDomain

/// The settings of a connection, in the order in which they are applied. Each is read back, because SQLite ignores
/// pragmas it does not know, and a setting that had no effect would cost data later.
enum SQLitePragmas {
    /// How long a statement waits for another connection, in milliseconds.
    static let busyTimeoutMilliseconds: Int32 = 5_000

    /// Sets the busy timeout. Call it before the first statement.
    static func setBusyTimeout(of connection: SQLiteConnection) {
        connection.setBusyTimeout(milliseconds: busyTimeoutMilliseconds)
    }

    /// Configures the writing connection for durability: a commit that returned survives a power failure.
    /// - Parameter pageBytes: The database page size of a new file. Sample pages are a few kilobytes; larger database
    ///   pages waste less space after them.
    static func setUpWriter(_ connection: SQLiteConnection, pageBytes: Int = 8_192) throws {
        try connection.execute("PRAGMA page_size = \(pageBytes)")
        try set("journal_mode", "wal", of: connection)
        try set("synchronous", "2", of: connection)
        try set("foreign_keys", "1", of: connection)
        try set("trusted_schema", "0", of: connection)
        // Only this connection checkpoints, between transactions.
        try set("wal_autocheckpoint", "0", of: connection)
        try set("cell_size_check", "1", of: connection)
        try set("temp_store", "2", of: connection)
        try set("cache_size", "-8192", of: connection)
        // On macOS alone, fsync does not reach the disk.
        try set("fullfsync", "1", of: connection)
        try set("checkpoint_fullfsync", "1", of: connection)
    }

    /// Configures a reading connection.
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
                reason: "the setting \(name) is \(found ?? "absent") instead of \(value)",
                advice: "keep the data folder on a local disk, not on a network share")
        }
    }
}

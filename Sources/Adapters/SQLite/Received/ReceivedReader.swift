/// A connection that only reads, on a thread of its own, so that readers and the writer do not wait for each other.
actor ReceivedReader {
    nonisolated private let executor = SQLiteQueueExecutor(label: "healthsync.received.reader")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let path: String
    private var connection: SQLiteConnection?

    init(path: String) { self.path = path }

    /// Runs `body` on one unchanging state of the database.
    func read<Result: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Result) throws -> Result {
        let connection = try opened()
        try connection.execute("BEGIN")
        do {
            let result = try body(connection)
            try connection.execute("COMMIT")
            return result
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    /// Closes the connection. Safe to repeat.
    func close() throws {
        let open = connection
        connection = nil
        try open?.close()
    }

    private func opened() throws -> SQLiteConnection {
        if let connection { return connection }
        let connection = try SQLiteConnection(path: path, isReader: true)
        SQLitePragmas.setBusyTimeout(of: connection)
        try SQLitePragmas.setUpReader(connection)
        self.connection = connection
        return connection
    }
}

import HealthSyncDomain
import HealthSyncPorts

/// A connection that only reads, on a thread of its own, so that readers and the writer do not wait for each other.
/// Opens at the first question, and anew where another file has taken the place of the one it read.
actor SQLiteReader {
    nonisolated private let executor = BlockingQueueExecutor(label: "healthsync.database.reader")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// What a person is to do where the file cannot be read.
    struct Advice: Sendable {
        let whereMissing: String
        let whereOlder: String

        /// For the database at home.
        static let home = Advice(
            whereMissing: "run `healthsync historical --source FILE` first, or name its folder with --data-dir",
            whereOlder: "run `healthsync daily` once; it brings the database up to date")
    }

    private let path: String
    private let owner: Int64
    private let latest: Int64
    private let advice: Advice
    private var connection: SQLiteConnection?
    /// The file that `connection` reads.
    private var identity: FileIdentity?

    /// - Parameters:
    ///   - path: the file.
    ///   - owner: the application id of a file of this kind.
    ///   - latest: the schema version that this program reads.
    ///   - advice: what to do where there is no such file.
    init(
        path: String, owner: Int64 = DatabaseFile.applicationID, latest: Int64 = Migration.latest,
        advice: Advice = .home
    ) {
        self.path = path
        self.owner = owner
        self.latest = latest
        self.advice = advice
    }

    /// Opens the file now; refuses one that is missing, foreign, or of another schema version than this program's.
    func open() throws { _ = try opened() }

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
        if let connection {
            if FileIdentity(of: path) == identity { return connection }
            // Another database stands there by now, or none: what this connection reads is no longer what is stored.
            try close()
        }
        try DatabaseFile.checkPresence(of: path, advice: advice.whereMissing)
        let identity = FileIdentity(of: path)
        let connection = try SQLiteConnection(path: path, isReader: true)
        SQLitePragmas.setBusyTimeout(of: connection)
        let version = try DatabaseFile.schemaVersion(over: connection, latest: latest, owner: owner)
        guard version == latest else {
            throw SyncFailure(
                .storage, subject: path, reason: "it was written by an older version (schema \(version))",
                advice: advice.whereOlder)
        }
        try SQLitePragmas.setUpReader(connection)
        self.connection = connection
        self.identity = identity
        return connection
    }
}

import HealthSyncDomain
import HealthSyncPorts

/// The one connection that writes and checkpoints, on a thread of its own.
actor SQLiteWriter {
    private enum State {
        case unopened
        case open(SQLiteConnection, ReferenceRows)
        /// A commit failed and may yet have happened: nothing more is written.
        case stopped(SyncFailure)
        case closed
    }

    /// Above this size the log is brought into the database after a transaction.
    static let walBytesBeforeCheckpoint = 64 << 20

    nonisolated private let executor = BlockingQueueExecutor(label: "healthsync.database.writer")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let path: String
    /// For migrations that make digests.
    private let hasher: (any ContentHasher)?
    private var state = State.unopened
    /// The file that was opened.
    private var identity: FileIdentity?

    init(path: String, hasher: (any ContentHasher)?) {
        self.path = path
        self.hasher = hasher
    }

    /// Makes or opens the file and brings its schema up to date. Returns the numbers of the migrations that were applied
    /// and their notes for the user.
    func open() throws -> (applied: ClosedRange<Int64>, notes: [String])? {
        try DatabaseFile.prepare(path)
        let connection = try SQLiteConnection(path: path, isReader: false)
        SQLitePragmas.setBusyTimeout(of: connection)
        let version = try DatabaseFile.schemaVersion(over: connection, latest: Migration.latest)
        try SQLitePragmas.setUpWriter(connection)
        let notes = version < Migration.latest ? try Migration.bringUpToDate(connection, hasher: hasher) : []
        identity = FileIdentity(of: path)
        state = .open(connection, ReferenceRows())
        return version < Migration.latest ? (version + 1...Migration.latest, notes) : nil
    }

    /// Runs `body` in one transaction that is durable when this returns. What `body` throws rolls it back.
    ///
    /// - Parameter isEssential: whether nothing may be written after a commit that failed. Without it a disk that was full
    ///   for this transaction is asked again by the next: in the log a transaction that did not fit is none.
    func write<Result: Sendable>(
        isEssential: Bool = true, _ body: @Sendable (SQLiteTransaction) throws -> Result
    ) throws -> Result {
        let (connection, references) = try opened()
        try connection.execute("BEGIN IMMEDIATE")
        let result: Result
        do {
            try references.validate(over: connection)
            result = try body(SQLiteTransaction(connection: connection, references: references))
        } catch {
            references.forget()
            // After a full disk SQLite may have rolled back by itself.
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
        try commit(connection, isEssential: isEssential)
        // The transaction is durable in the log, whatever comes of bringing it over: the next one tries again.
        if DatabaseFile.walBytes(of: path) > Self.walBytesBeforeCheckpoint { try? checkpoint(connection) }
        return result
    }

    /// Brings the log into the database and closes. Safe to repeat.
    func close() throws {
        guard case .open(let connection, _) = state else {
            if case .stopped = state {} else { state = .closed }
            return
        }
        state = .closed
        if DatabaseFile.walBytes(of: path) > 0 { try checkpoint(connection) }
        try connection.close()
    }

    private func opened() throws -> (SQLiteConnection, ReferenceRows) {
        switch state {
        case .open(let connection, let references):
            try checkIdentity()
            return (connection, references)
        case .stopped(let failure): throw failure
        case .unopened, .closed:
            throw SyncFailure(
                .storage, subject: path, reason: "the database is not open for writing",
                advice: "report this as a mistake of the program")
        }
    }

    /// What is written into a file that was removed or replaced nobody will find again.
    private func checkIdentity() throws {
        guard FileIdentity(of: path) != identity else { return }
        let failure = SyncFailure(
            .storage, subject: path, reason: "the database was removed or replaced while this run was at work",
            advice: "run the command again; it works with the file that stands there then")
        state = .stopped(failure)
        throw failure
    }

    private func commit(_ connection: SQLiteConnection, isEssential: Bool) throws {
        do {
            try connection.execute("COMMIT")
        } catch {
            let mayGoOn = !isEssential && connection.foundDiskFull
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            if mayGoOn { throw error }
            let failure = SyncFailure(
                .storage, subject: path,
                reason:
                    "the last change may or may not have been stored (\((error as? SyncFailure)?.reason ?? "\(error)"))",
                advice: "check the disk and the space left on it, then run the command again; it goes on where it was")
            state = .stopped(failure)
            throw failure
        }
    }

    private func checkpoint(_ connection: SQLiteConnection) throws {
        // A reader may hold the log in use; the rest is then left to the next time instead of waiting.
        connection.setBusyTimeout(milliseconds: 0)
        defer { SQLitePragmas.setBusyTimeout(of: connection) }
        _ = try connection.first("PRAGMA wal_checkpoint(TRUNCATE)") { try $0.integer() }
    }
}

import HealthSyncDomain
import HealthSyncPorts

/// The only connection that writes and checkpoints, on its own thread.
actor SQLiteWriter {
    private enum State {
        case unopened
        case open(SQLiteConnection, ReferenceRows)
        /// A commit failed and may have happened nevertheless: no further writes.
        case stopped(SyncFailure)
        case closed
    }

    /// The log size above which a transaction is followed by a checkpoint.
    private static let walBytesBeforeCheckpoint = 64 << 20

    nonisolated private let executor = BlockingQueueExecutor(label: "healthsync.database.writer")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let path: String
    /// Computes digests in migrations.
    private let hasher: (any ContentHasher)?
    private var state = State.unopened
    /// The identity of the opened file.
    private var identity: FileIdentity?

    init(path: String, hasher: (any ContentHasher)?) {
        self.path = path
        self.hasher = hasher
    }

    /// Creates or opens the file and migrates its schema. Returns the numbers of the applied migrations and their notes
    /// for the user.
    func open() throws -> (applied: ClosedRange<Int64>, notes: [String])? {
        try DatabaseFile.prepare(path)
        let connection = try SQLiteConnection(path: path, isReader: false)
        SQLitePragmas.setBusyTimeout(of: connection)
        let version = try DatabaseFile.schemaVersion(over: connection, latest: Migration.latest)
        try SQLitePragmas.setUpWriter(connection)
        let notes = version < Migration.latest ? try Migration.migrate(connection, hasher: hasher) : []
        identity = FileIdentity(of: path)
        state = .open(connection, ReferenceRows())
        return version < Migration.latest ? (version + 1...Migration.latest, notes) : nil
    }

    /// Runs `body` in one transaction, which is durable when this returns. An error from `body` rolls it back.
    ///
    /// - Parameter isEssential: Whether a failed commit stops all further writes. If false, the next transaction may
    ///   try again after a full disk: a transaction that did not fit is not in the log.
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
            // After a full disk SQLite may have rolled back already.
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
        try commit(connection, isEssential: isEssential)
        // The transaction is durable in the log even if the checkpoint fails; the next one tries again.
        if DatabaseFile.walBytes(of: path) > Self.walBytesBeforeCheckpoint { try? checkpoint(connection) }
        return result
    }

    /// Checkpoints the log and closes the connection. Safe to repeat.
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
                advice: "report this as a bug")
        }
    }

    /// A write to a removed or replaced file would be lost.
    private func checkIdentity() throws {
        guard FileIdentity(of: path) != identity else { return }
        let failure = SyncFailure(
            .storage, subject: path, reason: "the database was removed or replaced during this run",
            advice: "run the command again to use the file that is there now")
        state = .stopped(failure)
        throw failure
    }

    private func commit(_ connection: SQLiteConnection, isEssential: Bool) throws {
        do {
            try connection.execute("COMMIT")
        } catch {
            let canContinue = !isEssential && connection.isDiskFull
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            if canContinue { throw error }
            let failure = SyncFailure(
                .storage, subject: path,
                reason:
                    "the last change may or may not have been stored (\((error as? SyncFailure)?.reason ?? "\(error)"))",
                advice: "check the disk and its free space, then run the command again; it continues where it stopped")
            state = .stopped(failure)
            throw failure
        }
    }

    private func checkpoint(_ connection: SQLiteConnection) throws {
        // If a reader uses the log, the rest is left to the next checkpoint instead of waiting.
        connection.setBusyTimeout(milliseconds: 0)
        defer { SQLitePragmas.setBusyTimeout(of: connection) }
        _ = try connection.first("PRAGMA wal_checkpoint(TRUNCATE)") { try $0.integer() }
    }
}

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

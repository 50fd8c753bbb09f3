import HealthSyncDomain
import Synchronization

/// The one connection that writes, on a thread of its own. Requests that arrive while a commit is under way wait for
/// the next one together: one sync for all of them.
actor GroupCommitWriter {
    /// A request for a change.
    private struct Job: Sendable {
        /// Makes the change; returns what tells the requester after the commit.
        let perform: @Sendable (ReceivedTransaction) throws -> @Sendable () -> Void
        /// Tells the requester that nothing was changed, or that nobody knows.
        let fail: @Sendable (any Error) -> Void
    }

    private struct Inbox {
        var jobs: [Job] = []
        var isClosed = false
    }

    private enum State {
        case unopened
        case open(ReceivedTransaction)
        /// A commit failed and may yet have happened: nothing more is written.
        case stopped(SyncFailure)
        case closed
    }

    /// At most so many requests share a commit, so that the first does not wait for long.
    private static let largestGroup = 256
    /// After so many pages (8 MB) the log is brought into the database, and written anew from its beginning: overwriting takes a
    /// sync half of the time that growing takes.
    private static let pagesBeforeCheckpoint = 2_048

    nonisolated private let executor = SQLiteQueueExecutor(label: "healthsync.received.writer")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    nonisolated private let inbox = Mutex(Inbox())

    private let path: String
    private let lines: StepsLineFiles?
    private var state = State.unopened
    private var pagesAtCheckpoint = 0

    /// - Parameters:
    ///   - path: the file.
    ///   - lines: folder and form of `steps.jsonl`; `nil` for none.
    init(path: String, lines: (folder: String, line: SQLiteReceivedDataStore.LineEncoder)?) {
        self.path = path
        self.lines = lines.map { StepsLineFiles(folder: $0.folder, line: $0.line) }
    }

    /// Makes or opens the file, brings its schema up to date, and the line files up to the database.
    func open() throws {
        try DatabaseFile.prepare(path)
        let connection = try SQLiteConnection(path: path, isReader: false)
        SQLitePragmas.setBusyTimeout(of: connection)
        let version = try DatabaseFile.schemaVersion(
            over: connection, latest: ReceivedSchema.latest, owner: ReceivedSchema.applicationID)
        // Small: requests may be small, and every page that a commit touches is written whole.
        try SQLitePragmas.setUpWriter(connection, pageBytes: 4_096)
        if version < ReceivedSchema.latest {
            try Migration.bringUpToDate(
                connection, by: ReceivedSchema.migrations, owner: ReceivedSchema.applicationID)
        }
        let transaction = try ReceivedTransaction(connection: connection)
        try lines?.bringUpToDate(over: connection)
        state = .open(transaction)
    }

    /// Makes a change that is durable when this returns; what `body` throws undoes it alone.
    nonisolated func write<Result: Sendable>(
        _ body: @escaping @Sendable (ReceivedTransaction) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                perform: { transaction in
                    let result = try body(transaction)
                    return { continuation.resume(returning: result) }
                }, fail: { continuation.resume(throwing: $0) })
            let isFirst: Bool? = inbox.withLock { inbox in
                guard !inbox.isClosed else { return nil }
                inbox.jobs.append(job)
                return inbox.jobs.count == 1
            }
            switch isFirst {
            case nil: job.fail(Self.notOpen(path))
            case true?:
                // Not structured: it serves whoever comes until it begins, and each of them waits for it.
                Task { await drain() }
            case false?: break
            }
        }
    }

    /// Brings the log into the database and closes, after everything that was asked for. Safe to repeat.
    func close() throws {
        inbox.withLock { $0.isClosed = true }
        drain()
        guard case .open(let transaction) = state else { return }
        state = .closed
        try checkpoint(transaction.connection, .truncate)
        try transaction.connection.close()
    }

    private func drain() {
        while true {
            let group: [Job] = inbox.withLock { inbox in
                let group = Array(inbox.jobs.prefix(Self.largestGroup))
                inbox.jobs.removeFirst(group.count)
                return group
            }
            guard !group.isEmpty else { return }
            switch state {
            case .open(let transaction): commit(group, in: transaction)
            case .stopped(let failure): for job in group { job.fail(failure) }
            case .unopened, .closed: for job in group { job.fail(Self.notOpen(path)) }
            }
        }
    }

    private func commit(_ group: [Job], in transaction: ReceivedTransaction) {
        let connection = transaction.connection
        let positionBefore = transaction.lastPosition
        var succeeded: [(tell: @Sendable () -> Void, job: Job)] = []
        do {
            try lines?.repair(over: connection)
            try connection.execute("BEGIN IMMEDIATE")
            transaction.lineChanges.removeAll()
            for job in group {
                if let tell = try perform(job, in: transaction) { succeeded.append((tell, job)) }
            }
            try lines?.note(transaction.lineChanges, after: positionBefore, in: transaction)
        } catch {
            transaction.rollBack()
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            // Those that failed by themselves were told; the others share this fate.
            let told = succeeded.isEmpty ? group : succeeded.map(\.job)
            for job in told { job.fail(error) }
            return
        }
        finish(succeeded, in: transaction)
    }

    /// One request's change, undone alone where it fails; `nil` then.
    private func perform(_ job: Job, in transaction: ReceivedTransaction) throws -> (@Sendable () -> Void)? {
        let connection = transaction.connection
        let changes = transaction.lineChanges.count
        try connection.execute("SAVEPOINT request")
        do {
            let tell = try job.perform(transaction)
            try connection.execute("RELEASE request")
            return tell
        } catch {
            transaction.rollBack()
            transaction.lineChanges.removeSubrange(changes...)
            // Without a transaction SQLite has rolled everything back by itself, as after a full disk.
            guard connection.isInTransaction else { throw error }
            try connection.execute("ROLLBACK TO request")
            try connection.execute("RELEASE request")
            job.fail(error)
            return nil
        }
    }

    private func finish(
        _ succeeded: [(tell: @Sendable () -> Void, job: Job)], in transaction: ReceivedTransaction
    ) {
        do {
            try transaction.connection.execute("COMMIT")
        } catch {
            let failure = SyncFailure(
                .storage, subject: path,
                reason:
                    "the last change may or may not have been stored (\((error as? SyncFailure)?.reason ?? "\(error)"))",
                advice: "check the disk and the space left on it, then start the server again")
            if transaction.connection.isInTransaction { try? transaction.connection.execute("ROLLBACK") }
            state = .stopped(failure)
            for entry in succeeded { entry.job.fail(failure) }
            return
        }
        transaction.ids.commit()
        do {
            try lines?.apply(transaction.lineChanges)
            for entry in succeeded { entry.tell() }
        } catch {
            // Stored, but not in the file: not acknowledged; a repeat finds it stored and the file repaired.
            for entry in succeeded { entry.job.fail(error) }
        }
        let written = transaction.connection.pagesWritten
        if written - pagesAtCheckpoint >= Self.pagesBeforeCheckpoint {
            pagesAtCheckpoint = written
            try? checkpoint(transaction.connection, .passive)
        }
    }

    private enum CheckpointMode: String {
        case passive, truncate
    }

    private func checkpoint(_ connection: SQLiteConnection, _ mode: CheckpointMode) throws {
        // A reader may hold the log in use; the rest is then left to the next time instead of waiting.
        connection.setBusyTimeout(milliseconds: 0)
        defer { SQLitePragmas.setBusyTimeout(of: connection) }
        _ = try connection.first("PRAGMA wal_checkpoint(\(mode.rawValue))") { try $0.integer() }
    }

    private static func notOpen(_ path: String) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "the database is not open for writing",
            advice: "start the server again")
    }
}

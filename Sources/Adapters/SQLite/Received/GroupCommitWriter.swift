import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// The only writing connection, on its own thread. Requests that arrive during a commit are committed together by the
/// next one, with a single sync for all of them. Users take turns, so that a user waits for few requests of another.
actor GroupCommitWriter {
    private struct Inbox {
        /// The changes that wait, by user; `nil` for those of the server itself.
        var jobs = TurnQueue<UserName?, ReceivedChange>(largestTurn: GroupCommitWriter.largestTurn)
        var isClosed = false
        /// Whether nothing can be stored until the database is reopened.
        var isStopped = false
        var file: FileIdentity?
    }

    enum State {
        case unopened
        case open(ReceivedTransaction)
        /// A commit failed or the file was replaced: nothing is written until the database is reopened.
        case stopped(SyncFailure, triedAt: Instant)
        case closed
    }

    /// The limits of a commit, which bound the wait of its first request and of those that arrive meanwhile.
    private static let largestGroup = (jobs: 256, size: 8_192)
    /// The number of records that a user stores in one turn, if they are of several requests.
    private static let largestTurn = 2_048
    /// The shortest time between attempts to reopen the database after a failed commit.
    private static let minimumReopenInterval: Int64 = 1_000

    nonisolated private let executor = BlockingQueueExecutor(label: "healthsync.received.writer")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    nonisolated private let inbox = Mutex(Inbox())

    private let path: String
    private let opening: ReceivedOpening
    private let time: any TimeSource
    private var lines: StepsLineFiles?
    private var file: FileIdentity? { inbox.withLock { $0.file } }
    private var state = State.unopened {
        didSet {
            let isStopped = if case .stopped = state { true } else { false }
            inbox.withLock { $0.isStopped = isStopped }
        }
    }
    private var pagesAtCheckpoint = 0

    /// - Parameters:
    ///   - path: The path of the file.
    ///   - lines: The folder and the line format of `steps.jsonl`; `nil` for no such files.
    ///   - rewrites: Counts the replacements of stored samples.
    ///   - time: The clock that schedules attempts after a failed commit.
    init(
        path: String, lines: (folder: String, line: SQLiteReceivedDataStore.LineEncoder)?, rewrites: SeriesRewrites,
        time: any TimeSource
    ) {
        self.path = path
        opening = ReceivedOpening(path: path, lines: lines, rewrites: rewrites)
        self.time = time
    }

    /// Creates or opens the file, migrates its schema, and brings the line files up to date with the database.
    func open() throws { adopt(try opening.open()) }

    private func adopt(_ opened: ReceivedOpening.Opened) {
        state = .open(opened.transaction)
        lines = opened.lines
        inbox.withLock { $0.file = opened.file }
        pagesAtCheckpoint = 0
    }

    /// Checks that changes can be made, after recovering from a failed commit. Throws the reason if not. Does not wait for
    /// the actor, which may be busy for long.
    nonisolated func checkWritable() async throws {
        let (isStopped, file) = inbox.withLock { ($0.isStopped, $0.file) }
        if isStopped { try await checkRecovered() } else { try DatabaseFile.checkUsable(path, as: file) }
    }

    private func checkRecovered() throws {
        recover()
        if case .stopped(let failure, _) = state { throw failure }
    }

    /// Reopens the database after a failed commit, which shows whether that commit is stored.
    private func recover() {
        guard case .stopped(_, let triedAt) = state,
            time.now() >= triedAt.advanced(byMilliseconds: Self.minimumReopenInterval)
        else { return }
        do { adopt(try opening.reopen(file: file)) } catch {
            state = .stopped(ReceivedOpening.failed(path, of: error), triedAt: time.now())
        }
    }

    /// Makes a change for `user`, or for the server itself, that is durable when this returns. An error from `body` undoes
    /// this change only. `size` is its number of records.
    nonisolated func write<Result: Sendable>(
        for user: UserName?, size: Int = 1, _ body: @escaping @Sendable (ReceivedTransaction) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let job = ReceivedChange(body, for: continuation)
            let isFirst: Bool? = inbox.withLock { inbox in
                guard !inbox.isClosed else { return nil }
                inbox.jobs.append(job, of: user, size: size)
                return inbox.jobs.count == 1
            }
            switch isFirst {
            case nil: job.fail(ReceivedOpening.notOpen(path))
            case true?:
                // Unstructured: it serves every request that arrives before it begins, and each of them waits for it.
                Task { await drain() }
            case false?: break
            }
        }
    }

    /// Completes all pending requests, checkpoints the log and closes the connection. Safe to repeat.
    func close() throws {
        inbox.withLock { $0.isClosed = true }
        drain()
        guard case .open(let transaction) = state else { return }
        state = .closed
        try ReceivedCheckpoint.truncate.attempt(over: transaction.connection)
        try transaction.connection.close()
    }

    private func drain() {
        while true {
            let group = inbox.withLock { $0.jobs.next(atMost: Self.largestGroup) }
            guard !group.isEmpty else { return }
            process(group)
        }
    }

    private func process(_ group: [ReceivedChange]) {
        recover()
        switch state {
        case .open(let transaction) where FileIdentity(of: path) == file: commit(group, in: transaction)
        case .open(let transaction):
            abandon(transaction)
            process(group)
        case .stopped(let failure, _): for change in group { change.fail(failure) }
        case .unopened, .closed: for change in group { change.fail(ReceivedOpening.notOpen(path)) }
        }
    }

    /// Closes a database whose file was replaced; its log does not belong to the new file.
    private func abandon(_ transaction: ReceivedTransaction) {
        try? ReceivedCheckpoint.truncate.attempt(over: transaction.connection)
        try? transaction.connection.close()
        state = .stopped(ReceivedOpening.replaced(path), triedAt: time.now())
    }
}

/// Commits of groups of changes.
extension GroupCommitWriter {
    /// The number of written pages (8 MB) after which the log is checkpointed and overwritten from its start: syncing
    /// an overwritten log takes half as long as syncing a growing one.
    private static let pagesBeforeCheckpoint = 2_048

    /// Commits the changes of `group` and answers each requester once, after the commit or its failure.
    private func commit(_ group: [ReceivedChange], in transaction: ReceivedTransaction) {
        let connection = transaction.connection
        lines?.repair(over: connection)
        transaction.lineChanges.removeAll()
        do {
            try connection.execute("BEGIN IMMEDIATE")
        } catch {
            for change in group { change.fail(error) }
            return
        }
        var made: [ReceivedChange.Made] = []
        var next = group.startIndex
        do {
            while next < group.endIndex {
                if transaction.unwritten.count >= 4 * ReceivedColumns.largestPage {
                    try transaction.writeSamplesAndIDs()
                }
                if let outcome = try make(group[next], in: transaction) { made.append(outcome) }
                next += 1
            }
            try transaction.writeSamplesAndIDs()
            try lines?.note(transaction.lineChanges, in: transaction)
        } catch {
            undo(transaction)
            let undone = made.map(\.change) + group[next...]
            // Some changes of the group may still succeed alone.
            for change in undone { group.count > 1 ? process([change]) : change.fail(error) }
            return
        }
        finish(made, in: transaction)
    }

    /// Makes one change. If it fails, only this change is undone, its requester receives the error, and `nil` is
    /// returned.
    ///
    /// - Throws: The error of the change, if the changes before it must be undone too.
    private func make(_ change: ReceivedChange, in transaction: ReceivedTransaction) throws -> ReceivedChange.Made? {
        let connection = transaction.connection
        let lineChanges = transaction.lineChanges.count
        let sampleChanges = transaction.unwritten.changes
        try connection.execute("SAVEPOINT request")
        do {
            let answer = try change.perform(transaction)
            let changes = transaction.lineChanges[lineChanges...]
            for change in changes { try lines?.requireWritable(change) }
            let users = Set(changes.map(\.user))
            try connection.execute("RELEASE request")
            return ReceivedChange.Made(change: change, answer: answer, lineUsers: users)
        } catch {
            // Without a transaction SQLite has already rolled back everything, as after a full disk. And samples that
            // are not yet written have no savepoint: if the request changed them, the whole group is undone.
            guard connection.isInTransaction, transaction.unwritten.changes == sampleChanges else { throw error }
            try connection.execute("ROLLBACK TO request")
            try connection.execute("RELEASE request")
            // Writes the samples of the requests before it, so that none is lost.
            try transaction.writeSamples()
            transaction.rollBack()
            transaction.lineChanges.removeSubrange(lineChanges...)
            change.fail(error)
            return nil
        }
    }

    private func undo(_ transaction: ReceivedTransaction) {
        transaction.rollBack()
        if transaction.connection.isInTransaction { try? transaction.connection.execute("ROLLBACK") }
    }

    private func finish(_ made: [ReceivedChange.Made], in transaction: ReceivedTransaction) {
        do {
            try transaction.connection.execute("COMMIT")
        } catch {
            let failure = ReceivedOpening.unknown(path, after: error)
            undo(transaction)
            // A connection left open would keep its uncertain state for the next opening.
            try? transaction.connection.close()
            state = .stopped(failure, triedAt: time.now())
            for entry in made { entry.change.fail(failure) }
            return
        }
        transaction.ids.commit()
        transaction.endRewriting()
        let failures = lines?.apply(transaction.lineChanges) ?? [:]
        for entry in made {
            // Stored, but not in the file: not acknowledged. A repeated request finds it stored and the file repaired.
            if let error = entry.lineUsers.lazy.compactMap({ failures[$0] }).first {
                entry.change.fail(error)
            } else {
                entry.answer()
            }
        }
        let written = transaction.connection.pagesWritten
        if written - pagesAtCheckpoint >= Self.pagesBeforeCheckpoint {
            pagesAtCheckpoint = written
            try? ReceivedCheckpoint.passive.attempt(over: transaction.connection)
        }
    }
}

/// A requested change and its waiting requester.
private struct ReceivedChange: Sendable {
    /// Makes the change, once per attempt of its group; returns the closure that answers the requester after the
    /// commit.
    let perform: @Sendable (ReceivedTransaction) throws -> @Sendable () -> Void
    /// Reports to the requester that nothing was changed or that the outcome is unknown.
    let fail: @Sendable (any Error) -> Void

    /// Creates a change from `body` whose requester waits at `continuation`.
    init<Result: Sendable>(
        _ body: @escaping @Sendable (ReceivedTransaction) throws -> Result,
        for continuation: CheckedContinuation<Result, any Error>
    ) {
        perform = { transaction in
            let result = try body(transaction)
            return { continuation.resume(returning: result) }
        }
        fail = { continuation.resume(throwing: $0) }
    }

    /// A change that was made and awaits its commit.
    struct Made {
        let change: ReceivedChange
        /// Answers the requester.
        let answer: @Sendable () -> Void
        /// The users whose `steps.jsonl` must be written before the requester is answered.
        let lineUsers: Set<UserName>
    }
}

/// Opens the database of a receiving server for writing: at its start, and again after a failed commit.
private struct ReceivedOpening: Sendable {
    /// The result of opening the database.
    struct Opened {
        let transaction: ReceivedTransaction
        let lines: StepsLineFiles?
        /// The identity of the opened file.
        let file: FileIdentity?
    }

    let path: String
    /// The folder and line format of `steps.jsonl`; `nil` for no such files.
    let lines: (folder: String, line: SQLiteReceivedDataStore.LineEncoder)?
    let rewrites: SeriesRewrites

    /// Creates or opens the file, migrates its schema, and brings the line files up to date with the database.
    func open() throws -> Opened {
        try DatabaseFile.prepare(path)
        return try opened { _ in }
    }

    /// Reopens `file` after a commit with an unknown outcome. Checkpoints the whole log first, so that no new pages
    /// follow pages that may never have reached the disk.
    func reopen(file: FileIdentity?) throws -> Opened {
        guard FileIdentity(of: path) == file else { throw Self.replaced(path) }
        return try opened { connection in
            guard try ReceivedCheckpoint.truncate.isComplete(over: connection) else {
                throw SyncFailure(
                    .storage, subject: path, reason: "a reader still uses the write-ahead log",
                    advice: "wait; the server tries again automatically")
            }
        }
    }

    private func opened(_ settle: (SQLiteConnection) throws -> Void) throws -> Opened {
        let connection = try SQLiteConnection(path: path, isReader: false)
        SQLitePragmas.setBusyTimeout(of: connection)
        let version = try DatabaseFile.schemaVersion(
            over: connection, latest: ReceivedSchema.latest, owner: ReceivedSchema.applicationID)
        // Small, because requests may be small and a commit writes every page it touches completely.
        try SQLitePragmas.setUpWriter(connection, pageBytes: 4_096)
        try settle(connection)
        if version < ReceivedSchema.latest {
            try Migration.migrate(
                connection, by: ReceivedSchema.migrations, owner: ReceivedSchema.applicationID)
        }
        let transaction = try ReceivedTransaction(connection: connection, rewrites: rewrites)
        let files = lines.map { StepsLineFiles(folder: $0.folder, line: $0.line) }
        try files?.repairAll(over: connection)
        return Opened(transaction: transaction, lines: files, file: FileIdentity(of: path))
    }

    private static let advice = "check the disk and its free space; the server tries again automatically"

    /// Returns the failure for requests whose commit failed.
    static func unknown(_ path: String, after error: any Error) -> SyncFailure {
        SyncFailure(
            .storage, subject: path,
            reason: "the last change may or may not have been stored (\(reason(of: error)))", advice: advice)
    }

    /// Returns the failure for requests after a failed commit, while the database cannot be reopened.
    static func failed(_ path: String, of error: any Error) -> SyncFailure {
        SyncFailure(
            .storage, subject: path,
            reason: "nothing can be stored until the database is reopened (\(reason(of: error)))",
            advice: advice)
    }

    /// Returns the failure for requests after the database file was replaced or removed.
    static func replaced(_ path: String) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "the database was removed or replaced",
            advice: "restore the database file, or restart the server to continue with the file that is there now")
    }

    /// Returns the failure for requests before the opening or after the end.
    static func notOpen(_ path: String) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "the database is not open for writing",
            advice: "restart the server")
    }

    private static func reason(of error: any Error) -> String {
        (error as? SyncFailure)?.reason ?? "\(type(of: error))"
    }
}

/// Copies the write-ahead log into the database.
private enum ReceivedCheckpoint: String {
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

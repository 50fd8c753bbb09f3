import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// The one connection that writes, on a thread of its own. Requests that arrive while a commit is under way wait for
/// the next one together: one sync for all of them.
actor GroupCommitWriter {
    private struct Inbox {
        var jobs: [ReceivedChange] = []
        var isClosed = false
        /// Whether nothing can be stored until the database was opened anew.
        var isStopped = false
    }

    private enum State {
        case unopened
        case open(ReceivedTransaction)
        /// A commit failed, or another file stands there: nothing is written until the database was opened anew.
        case stopped(SyncFailure, triedAt: Instant)
        case closed
    }

    /// At most so many requests share a commit, so that the first does not wait for long.
    private static let largestGroup = 256
    /// After so many pages (8 MB) the log is brought into the database, and written anew from its beginning: overwriting takes a
    /// sync half of the time that growing takes.
    private static let pagesBeforeCheckpoint = 2_048
    /// After a failed commit the database is opened anew at most so often.
    private static let millisecondsBetweenOpenings: Int64 = 1_000

    nonisolated private let executor = BlockingQueueExecutor(label: "healthsync.received.writer")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    nonisolated private let inbox = Mutex(Inbox())

    private let path: String
    private let opening: ReceivedOpening
    private let time: any TimeSource
    private var lines: StepsLineFiles?
    private var file: FileIdentity?
    private var state = State.unopened {
        didSet {
            let isStopped = if case .stopped = state { true } else { false }
            inbox.withLock { $0.isStopped = isStopped }
        }
    }
    private var pagesAtCheckpoint = 0

    /// - Parameters:
    ///   - path: the file.
    ///   - lines: folder and form of `steps.jsonl`; `nil` for none.
    ///   - time: says when to try again after a failed commit.
    init(path: String, lines: (folder: String, line: SQLiteReceivedDataStore.LineEncoder)?, time: any TimeSource) {
        self.path = path
        opening = ReceivedOpening(path: path, lines: lines)
        self.time = time
    }

    /// Makes or opens the file, brings its schema up to date, and the line files up to the database.
    func open() throws { adopt(try opening.first()) }

    private func adopt(_ opened: ReceivedOpening.Opened) {
        state = .open(opened.transaction)
        lines = opened.lines
        file = opened.file
        pagesAtCheckpoint = 0
    }

    /// That changes can be made, after what a failed commit left is settled.
    ///
    /// - Throws: Why none can be made.
    nonisolated func checkWritable() async throws {
        // Without waiting for the writer's turn, which may be long.
        guard inbox.withLock({ $0.isStopped }) else { return }
        try await checkSettled()
    }

    private func checkSettled() throws {
        settle()
        if case .stopped(let failure, _) = state { throw failure }
    }

    /// Opens the database anew where a commit failed. Which side of that commit it stands on is known then.
    private func settle() {
        guard case .stopped(_, let triedAt) = state,
            time.now() >= triedAt.advanced(byMilliseconds: Self.millisecondsBetweenOpenings)
        else { return }
        do { adopt(try opening.again(file: file)) } catch {
            state = .stopped(ReceivedOpening.failed(path, of: error), triedAt: time.now())
        }
    }

    /// Makes a change that is durable when this returns; what `body` throws undoes it alone.
    nonisolated func write<Result: Sendable>(
        _ body: @escaping @Sendable (ReceivedTransaction) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let job = ReceivedChange(body, for: continuation)
            let isFirst: Bool? = inbox.withLock { inbox in
                guard !inbox.isClosed else { return nil }
                inbox.jobs.append(job)
                return inbox.jobs.count == 1
            }
            switch isFirst {
            case nil: job.fail(ReceivedOpening.notOpen(path))
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
        try ReceivedCheckpoint.truncate.attempt(over: transaction.connection)
        try transaction.connection.close()
    }

    private func drain() {
        while true {
            let group: [ReceivedChange] = inbox.withLock { inbox in
                let group = Array(inbox.jobs.prefix(Self.largestGroup))
                inbox.jobs.removeFirst(group.count)
                return group
            }
            guard !group.isEmpty else { return }
            carryOut(group)
        }
    }

    private func carryOut(_ group: [ReceivedChange]) {
        settle()
        switch state {
        case .open(let transaction) where FileIdentity(of: path) == file: commit(group, in: transaction)
        case .open(let transaction):
            leave(transaction)
            carryOut(group)
        case .stopped(let failure, _): for change in group { change.fail(failure) }
        case .unopened, .closed: for change in group { change.fail(ReceivedOpening.notOpen(path)) }
        }
    }

    /// Another file took the place of the database; what stands in the log is not that file's.
    private func leave(_ transaction: ReceivedTransaction) {
        try? ReceivedCheckpoint.truncate.attempt(over: transaction.connection)
        try? transaction.connection.close()
        state = .stopped(ReceivedOpening.replaced(path), triedAt: time.now())
    }

    /// Carries out the changes of `group` and tells each requester once, after all of it is on disk or given up.
    private func commit(_ group: [ReceivedChange], in transaction: ReceivedTransaction) {
        let connection = transaction.connection
        let positionBefore = transaction.lastPosition
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
                if transaction.unwritten.count >= ReceivedColumns.largestPage { try transaction.writeSamples() }
                if let outcome = try make(group[next], after: positionBefore, in: transaction) { made.append(outcome) }
                next += 1
            }
            try transaction.writeSamples()
            try lines?.note(transaction.lineChanges, after: positionBefore, in: transaction)
        } catch {
            undo(transaction)
            let undone = made.map(\.change) + group[next...]
            // Of several some may yet fit: each by itself.
            for change in undone { group.count > 1 ? carryOut([change]) : change.fail(error) }
            return
        }
        finish(made, in: transaction)
    }

    /// Makes one change; where it fails it is undone alone, its requester told, and `nil` is returned.
    ///
    /// - Throws: What it failed of, where the changes before it are undone too.
    private func make(
        _ change: ReceivedChange, after position: Int64, in transaction: ReceivedTransaction
    ) throws -> ReceivedChange.Made? {
        let connection = transaction.connection
        let lineChanges = transaction.lineChanges.count
        let sampleChanges = transaction.unwritten.changes
        try connection.execute("SAVEPOINT request")
        do {
            let tell = try change.perform(transaction)
            let users = Set(transaction.lineChanges[lineChanges...].map(\.user))
            for user in users { try lines?.requireWritable(of: user, position: position) }
            try connection.execute("RELEASE request")
            return ReceivedChange.Made(change: change, tell: tell, lineUsers: users)
        } catch {
            // Without a transaction SQLite has rolled everything back by itself, as after a full disk. And samples that are
            // not written yet have no savepoint: where the request changed them already, all of the group is undone.
            guard connection.isInTransaction, transaction.unwritten.changes == sampleChanges else { throw error }
            try connection.execute("ROLLBACK TO request")
            try connection.execute("RELEASE request")
            // Those of the requests before it, so that nothing of them is forgotten.
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
            // What is still open would be believed by the next opening.
            try? transaction.connection.close()
            state = .stopped(failure, triedAt: time.now())
            for entry in made { entry.change.fail(failure) }
            return
        }
        transaction.ids.commit()
        let failures = lines?.apply(transaction.lineChanges) ?? [:]
        for entry in made {
            // Stored, but not in the file: not acknowledged; a repeat finds it stored and the file repaired.
            if let error = entry.lineUsers.lazy.compactMap({ failures[$0] }).first {
                entry.change.fail(error)
            } else {
                entry.tell()
            }
        }
        let written = transaction.connection.pagesWritten
        if written - pagesAtCheckpoint >= Self.pagesBeforeCheckpoint {
            pagesAtCheckpoint = written
            try? ReceivedCheckpoint.passive.attempt(over: transaction.connection)
        }
    }
}

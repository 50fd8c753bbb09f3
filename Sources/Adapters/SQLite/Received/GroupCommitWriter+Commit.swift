import HealthSyncDomain
import HealthSyncPorts

/// Commits of groups of changes.
extension GroupCommitWriter {
    /// The number of written pages (8 MB) after which the log is checkpointed and overwritten from its start: syncing
    /// an overwritten log takes half as long as syncing a growing one.
    private static let pagesBeforeCheckpoint = 2_048

    /// Commits the changes of `group` and answers each requester once, after the commit or its failure.
    func commit(_ group: [ReceivedChange], in transaction: ReceivedTransaction) {
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

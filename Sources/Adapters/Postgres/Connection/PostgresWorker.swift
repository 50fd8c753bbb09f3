import HealthSyncDomain
import HealthSyncPorts

/// A session with the server on a thread of its own. It is opened when it is first needed, and anew after it was lost.
actor PostgresWorker {
    /// So often a transaction that met others (a deadlock, a lost connection before its commit) is tried.
    private static let attempts = 5

    nonisolated private let executor: BlockingQueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    private let address: PostgresAddress
    private var session: PostgresSession?

    init(address: PostgresAddress, label: String) {
        self.address = address
        executor = BlockingQueueExecutor(label: label)
    }

    /// Runs `body`, once more where its transaction was not committed and nothing is wrong with it.
    func perform<Result: Sendable>(_ body: @Sendable (PostgresSession) throws -> Result) throws -> Result {
        do {
            return try attempt(body)
        } catch let error as PostgresError {
            throw PostgresFailure.failure(error, at: address)
        }
    }

    /// Carries out what waits in `queue`, until nothing does.
    func drain(_ queue: WriteQueue) {
        var last: UserName?
        while let group = queue.next(after: last, for: self) {
            carryOut(group)
            last = group.user
        }
    }

    func close() { session = nil }

    private func carryOut(_ group: WriteGroup) {
        do {
            let outcomes = try attempt { try group.transaction.commit(in: $0) }
            for (job, outcome) in zip(group.jobs, outcomes) { job.answer(outcome) }
        } catch let error as PostgresError {
            if error.kind == .refused, group.jobs.count > 1 {
                // One of them may be at fault: each by itself.
                for job in group.jobs { carryOut(WriteGroup(user: group.user, jobs: [job])) }
            } else {
                let failure = PostgresFailure.failure(error, at: address)
                for job in group.jobs { job.answer(.failure(failure)) }
            }
        } catch {
            for job in group.jobs { job.answer(.failure(error)) }
        }
    }

    private func attempt<Result>(_ body: (PostgresSession) throws -> Result) throws -> Result {
        var attempts = 0
        while true {
            attempts += 1
            do {
                return try body(try opened())
            } catch {
                session?.connection.rollBack()
                guard let error = error as? PostgresError else { throw error }
                if error.kind != .refused { session = nil }
                guard error.mayBeRetried, attempts < Self.attempts else { throw error }
            }
        }
    }

    private func opened() throws -> PostgresSession {
        if let session { return session }
        let session = try PostgresSession(to: address)
        self.session = session
        return session
    }
}

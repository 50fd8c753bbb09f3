import HealthSyncDomain
import HealthSyncPorts

/// A session with the server on its own thread. It is opened when first needed, and reopened after a loss.
actor PostgresWorker {
    /// The number of attempts for a transaction that met a transient error (a deadlock, or a connection lost before the
    /// commit).
    private static let attempts = 5

    nonisolated private let executor: BlockingQueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    private let address: PostgresAddress
    private var session: PostgresSession?

    init(address: PostgresAddress, label: String) {
        self.address = address
        executor = BlockingQueueExecutor(label: label)
    }

    /// Runs `body`, and repeats it after transient errors.
    func perform<Result: Sendable>(_ body: @Sendable (PostgresSession) throws -> Result) throws -> Result {
        do {
            return try attempt(body)
        } catch let error as PostgresError {
            throw PostgresFailure.failure(error, at: address)
        }
    }

    /// Commits groups from `queue` until it is empty.
    func drain(_ queue: WriteQueue) {
        var last: UserName?
        while let group = queue.next(after: last, for: self) {
            process(group)
            last = group.user
        }
    }

    func close() { session = nil }

    private func process(_ group: WriteGroup) {
        do {
            let outcomes = try attempt { try group.transaction.commit(in: $0) }
            for (job, outcome) in zip(group.jobs, outcomes) { job.answer(outcome) }
        } catch let error as PostgresError {
            if error.kind == .rejected, group.jobs.count > 1 {
                // A single request may be at fault, so each is tried alone.
                for job in group.jobs { process(WriteGroup(user: group.user, jobs: [job])) }
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
                if error.kind != .rejected { session = nil }
                guard error.isTransient, attempts < Self.attempts else { throw error }
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

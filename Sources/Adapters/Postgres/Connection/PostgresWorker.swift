import HealthSyncDomain
import HealthSyncPorts

/// A session with the server on its own thread. It is opened when first needed, and reopened after a loss.
actor PostgresWorker {
    /// The number of attempts for a transaction that met a transient error (a serialization failure, a deadlock, or a
    /// connection lost before the commit).
    private static let attempts = 5

    nonisolated private let executor: BlockingQueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    private let address: PostgresAddress
    private let reusesPlans: Bool
    private var session: PostgresSession?

    /// - Parameters:
    ///   - address: The database.
    ///   - label: The name of the thread.
    ///   - reusesPlans: Whether the plans of statements are reused.
    init(address: PostgresAddress, label: String, reusesPlans: Bool = false) {
        self.address = address
        self.reusesPlans = reusesPlans
        executor = BlockingQueueExecutor(label: label)
    }

    /// Runs `body`, and repeats it after transient errors.
    func perform<Result: Sendable>(_ body: @Sendable (PostgresSession) throws -> Result) throws -> Result {
        do { return try attempt(body) } catch { throw translated(error) }
    }

    /// Returns the failure that is reported for an error.
    func translated(_ error: any Error) -> any Error {
        (error as? PostgresError).map { PostgresFailure.failure($0, at: address) } ?? error
    }

    func close() { session = nil }

    /// Runs `body`, and repeats it after transient errors. Throws the error as it is.
    func attempt<Result>(_ body: (PostgresSession) throws -> Result) throws -> Result {
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
        if reusesPlans { try session.reusePlans() }
        self.session = session
        return session
    }
}

/// A pool with a fixed number of sessions.
struct PostgresPool: Sendable {
    private let workers: [PostgresWorker]
    private let pool: LendingPool<PostgresWorker>

    init(address: PostgresAddress, size: Int, label: String) {
        workers = (0..<size).map { PostgresWorker(address: address, label: "\(label).\($0)") }
        pool = LendingPool(workers)
    }

    func perform<Result: Sendable>(
        _ body: @Sendable (PostgresSession) throws -> Result
    ) async throws -> Result {
        try await pool.lend { try await $0.perform(body) }
    }

    func close() async {
        for worker in workers { await worker.close() }
    }
}

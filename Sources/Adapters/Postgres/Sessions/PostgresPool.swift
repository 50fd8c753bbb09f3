import HealthSyncPorts

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

/// So many sessions at most; who finds none free waits.
actor PostgresPool {
    private var idle: [PostgresWorker]
    private var waiting: [CheckedContinuation<PostgresWorker, Never>] = []
    private let all: [PostgresWorker]

    init(address: PostgresAddress, size: Int, label: String) {
        all = (0..<size).map { PostgresWorker(address: address, label: "\(label).\($0)") }
        idle = all
    }

    func perform<Result: Sendable>(
        _ body: @Sendable (PostgresSession) throws -> Result
    ) async throws -> Result {
        let worker = await take()
        defer { giveBack(worker) }
        return try await worker.perform(body)
    }

    func close() async {
        for worker in all { await worker.close() }
    }

    private func take() async -> PostgresWorker {
        if let worker = idle.popLast() { return worker }
        return await withCheckedContinuation { waiting.append($0) }
    }

    private func giveBack(_ worker: PostgresWorker) {
        if waiting.isEmpty { idle.append(worker) } else { waiting.removeFirst().resume(returning: worker) }
    }
}

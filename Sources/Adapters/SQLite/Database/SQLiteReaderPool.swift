import HealthSyncDomain
import Synchronization

/// Several read-only connections to one file. A query uses the first connection that is free; queries that find none wait
/// in the order of their arrival.
final class SQLiteReaderPool: Sendable {
    private struct State {
        var idle: [SQLiteReader]
        var waiting: [CheckedContinuation<SQLiteReader, Never>] = []
    }

    private let readers: [SQLiteReader]
    private let state: Mutex<State>

    /// Creates a pool of `count` connections, each of which `make` creates and the first query opens.
    init(count: Int, make: () -> SQLiteReader) {
        readers = (0..<count).map { _ in make() }
        state = Mutex(State(idle: readers))
    }

    /// Runs `body` on one consistent snapshot of the database.
    func read<Result: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Result) async throws -> Result {
        let reader = await take()
        defer { give(reader) }
        return try await reader.read(body)
    }

    /// Closes the connections. Safe to repeat.
    func close() async throws {
        for reader in readers { try await reader.close() }
    }

    private func take() async -> SQLiteReader {
        await withCheckedContinuation { continuation in
            let reader: SQLiteReader? = state.withLock { state in
                // The connection that was used last, because its cache is warm.
                if let reader = state.idle.popLast() { return reader }
                state.waiting.append(continuation)
                return nil
            }
            if let reader { continuation.resume(returning: reader) }
        }
    }

    private func give(_ reader: SQLiteReader) {
        let next: CheckedContinuation<SQLiteReader, Never>? = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.idle.append(reader)
            return nil
        }
        next?.resume(returning: reader)
    }
}

import HealthSyncPorts
import Synchronization
import Testing

@Suite("Connection pool")
struct LendingPoolTests {
    /// A connection that counts its concurrent users.
    private final class Connection: Sendable {
        private let now = Mutex(0)
        private let most = Mutex(0)
        private let uses = Mutex(0)

        var atMost: Int { most.withLock { $0 } }
        var count: Int { uses.withLock { $0 } }

        func use() async {
            let users = now.withLock { now in
                now += 1
                return now
            }
            most.withLock { $0 = max($0, users) }
            for _ in 0..<10 { await Task.yield() }
            now.withLock { $0 -= 1 }
            uses.withLock { $0 += 1 }
        }
    }

    private struct Refused: Error {}

    @Test("Each connection has one user at a time, and every request is served", arguments: [1, 3])
    func oneAtATime(size: Int) async {
        let connections = (0..<size).map { _ in Connection() }
        let pool = LendingPool(connections)
        await withTaskGroup { group in
            for _ in 0..<200 { group.addTask { await pool.lend { await $0.use() } } }
        }
        #expect(connections.allSatisfy { $0.atMost == 1 })
        #expect(connections.map(\.count).reduce(0, +) == 200)
    }

    @Test("A failed or cancelled use returns the connection")
    func givenBack() async throws {
        let pool = LendingPool(["only"])
        for _ in 0..<3 { await #expect(throws: Refused.self) { try await pool.lend { _ in throw Refused() } } }
        let cancelled = Task { try await pool.lend { _ in try Task.checkCancellation() } }
        cancelled.cancel()
        _ = await cancelled.result
        #expect(await pool.lend { $0 } == "only")
    }
}

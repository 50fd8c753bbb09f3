import Synchronization
import Testing

@testable import HealthSyncPorts

@Suite("Gate in which users take turns")
struct TurnGateTests {
    private struct Refused: Error {}

    /// What happened inside the gate.
    private final class Record: Sendable {
        private let entered = Mutex<[String]>([])
        private let inside = Mutex((now: 0, most: 0))

        var users: [String] { entered.withLock { $0 } }
        var most: Int { inside.withLock { $0.most } }

        func enter(_ user: String) {
            entered.withLock { $0.append(user) }
            inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        }

        func leave() { inside.withLock { $0.now -= 1 } }
    }

    @Test("Another user is next, however many requests of one user wait")
    func turns() async {
        let gate = TurnGate<String>(places: 1)
        let record = Record()
        await gate.enter("flood")
        await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask { await gate.perform(for: "flood") { record.enter("flood") } }
            }
            while gate.waitingCount < 50 { await Task.yield() }
            group.addTask { await gate.perform(for: "other") { record.enter("other") } }
            while gate.waitingCount < 51 { await Task.yield() }
            gate.leave()
        }
        #expect(record.users.count == 51)
        // The task that was resumed before may be slower.
        #expect(record.users.firstIndex(of: "other") ?? 51 <= 2)
    }

    @Test("A failure frees the place, and no more tasks than places are inside", arguments: [1, 2])
    func places(count: Int) async {
        let gate = TurnGate<Int>(places: count)
        let record = Record()
        await withTaskGroup { group in
            for number in 0..<400 {
                group.addTask {
                    try? await gate.perform(for: number % 7) {
                        record.enter("\(number)")
                        defer { record.leave() }
                        if number % 3 == 0 { throw Refused() }
                    }
                }
            }
        }
        #expect(record.users.count == 400 && record.most <= count)
        #expect(await gate.perform(for: 1) { true })
    }
}

import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization

/// A clock that a test advances.
final class SteppedTime: TimeSource {
    private struct Waiter {
        var milliseconds: Int64
        var until: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(seconds: 1_700_000_000)
        var isFree = false
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
        var watchers: [(milliseconds: Int64, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    func now() -> Instant { state.withLock { $0.now } }
    func systemZoneName() -> String { "UTC" }

    func wait(milliseconds: Int64) async throws {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    let until = state.now.advanced(byMilliseconds: milliseconds)
                    if state.isFree { state.now = until }
                    guard !state.isFree, !Task.isCancelled else { return true }
                    state.waiters[id] = Waiter(milliseconds: milliseconds, until: until, continuation: continuation)
                    for watcher in state.watchers where watcher.milliseconds == milliseconds {
                        watcher.continuation.resume()
                    }
                    state.watchers.removeAll { $0.milliseconds == milliseconds }
                    return false
                }
                if isOver { continuation.resume(with: Result { try Task.checkCancellation() }) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Advances the clock and resumes the tasks whose wait has ended.
    func advance(milliseconds: Int64) {
        let over = state.withLock { state in
            state.now = state.now.advanced(byMilliseconds: milliseconds)
            let over = state.waiters.filter { $0.value.until <= state.now }
            for id in over.keys { state.waiters[id] = nil }
            return over.values
        }
        for waiter in over { waiter.continuation.resume() }
    }

    /// Advances the clock in the steps in which a server looks for overdue connections.
    func advance(quarters: Int) async {
        for _ in 0..<quarters {
            await waiter(of: 250)
            advance(milliseconds: 250)
        }
        await waiter(of: 250)
    }

    /// Returns as soon as a task waits for exactly `milliseconds`.
    func waiter(of milliseconds: Int64) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.waiters.values.contains(where: { $0.milliseconds == milliseconds }) { return true }
                state.watchers.append((milliseconds, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Resumes all tasks. From now on every wait advances the clock and returns immediately.
    func release() {
        let waiters = state.withLock { state in
            state.isFree = true
            defer { state.waiters.removeAll() }
            return state.waiters.values
        }
        for waiter in waiters { waiter.continuation.resume() }
    }
}

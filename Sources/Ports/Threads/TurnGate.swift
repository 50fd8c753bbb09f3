import Synchronization

/// Limits how many tasks do work of the processor at once. If all places are taken, users take turns, so that many
/// requests of one user do not delay those of another.
package final class TurnGate<User: Hashable & Sendable>: Sendable {
    private struct State {
        var free: Int
        var waiting = TurnQueue<User, CheckedContinuation<Void, Never>>(largestTurn: 1)
    }

    private let state: Mutex<State>

    /// Creates a gate with `places`, at least one.
    package init(places: Int) { state = Mutex(State(free: max(1, places))) }

    /// The number of tasks that wait.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` when it is the turn of `user`, also in a cancelled task, and rethrows its error.
    package func perform<Value>(for user: User, _ body: () throws -> Value) async rethrows -> Value {
        await enter(user)
        defer { leave() }
        return try body()
    }

    /// Waits for a place.
    func enter(_ user: User) async {
        let isFree = state.withLock { state in
            guard state.free > 0 else { return false }
            state.free -= 1
            return true
        }
        if isFree { return }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation, of: user, size: 1)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Frees a place.
    func leave() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            let next = state.waiting.next(atMost: (jobs: 1, size: 1)).first
            if next == nil { state.free += 1 }
            return next
        }
        next?.resume()
    }
}

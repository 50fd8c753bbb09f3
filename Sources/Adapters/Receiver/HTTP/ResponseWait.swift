import Synchronization

/// The wait of a response for something that may happen later, such as the arrival of a post.
///
/// A server whose connections are all in use ends waits early. The response is then created as if its time had passed, so
/// the client loses nothing.
package final class ResponseWait: Sendable {
    private enum State {
        case notWaiting
        case waiting(end: @Sendable () -> Void)
    }

    private let changed: @Sendable (_ isWaiting: Bool) -> Void
    private let state = Mutex(State.notWaiting)

    /// - Parameter changed: called when a wait begins and when it is over.
    init(changed: @escaping @Sendable (_ isWaiting: Bool) -> Void) { self.changed = changed }

    /// Runs `body`, which waits. `end` lets it return early; it may be called at any time while `body` runs.
    func run<Result>(
        endedBy end: @escaping @Sendable () -> Void, _ body: () async throws -> Result
    ) async rethrows -> Result {
        state.withLock { $0 = .waiting(end: end) }
        changed(true)
        defer {
            state.withLock { $0 = .notWaiting }
            changed(false)
        }
        return try await body()
    }

    /// Ends the current wait; does nothing without one.
    func end() {
        if case .waiting(let end) = state.withLock({ $0 }) { end() }
    }
}

import Synchronization

/// Calls a function once, when all parts of a process are ready.
final class Readiness: Sendable {
    private let left: Mutex<Int>
    private let ready: @Sendable () -> Void

    /// Waits for `parts` calls of `reached`; calls `ready` at once if `parts` is 0.
    init(parts: Int, _ ready: @escaping @Sendable () -> Void) {
        left = Mutex(parts)
        self.ready = ready
        if parts == 0 { ready() }
    }

    /// Notes that a part is ready.
    func reached() {
        let isLast = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isLast { ready() }
    }
}

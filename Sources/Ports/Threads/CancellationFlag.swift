import Synchronization

/// Tells a blocking thread that the task waiting for it was cancelled.
package final class CancellationFlag: Sendable {
    private let isRaised = Atomic<Bool>(false)

    package init() {}

    /// Raises the flag. Idempotent; safe to call from any thread.
    package func raise() { isRaised.store(true, ordering: .relaxed) }

    /// Throws `CancellationError` if the flag was raised.
    package func check() throws {
        if isRaised.load(ordering: .relaxed) { throw CancellationError() }
    }
}

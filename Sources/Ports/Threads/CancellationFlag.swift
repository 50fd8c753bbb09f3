import Synchronization

/// Tells a thread that blocks that the task which waits for it was cancelled.
package final class CancellationFlag: Sendable {
    private let isRaised = Atomic<Bool>(false)

    package init() {}

    /// Safe to repeat, from any thread.
    package func raise() { isRaised.store(true, ordering: .relaxed) }

    /// Throws `CancellationError` once the flag is raised.
    package func check() throws {
        if isRaised.load(ordering: .relaxed) { throw CancellationError() }
    }
}

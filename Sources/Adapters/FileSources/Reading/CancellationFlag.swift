import Synchronization

/// Tells a thread that blocks that the task which waits for it was cancelled.
final class CancellationFlag: Sendable {
    private let isRaised = Atomic<Bool>(false)

    func raise() { isRaised.store(true, ordering: .relaxed) }

    func check() throws {
        if isRaised.load(ordering: .relaxed) { throw CancellationError() }
    }
}

import Synchronization

/// Signals blocking work that the task waiting for it was cancelled.
public final class CancellationFlag: Sendable {
    private let isRaised = Atomic<Bool>(false)

    /// Creates a flag that is not raised.
    public init() {}

    /// Raises the flag; may be called repeatedly, from any thread.
    public func raise() { isRaised.store(true, ordering: .relaxed) }

    /// Throws `CancellationError` once the flag is raised.
    public func check() throws {
        if isRaised.load(ordering: .relaxed) { throw CancellationError() }
    }
}

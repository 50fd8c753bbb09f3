import Dispatch
import Synchronization

/// Runs work that blocks, such as reading a file, away from the cooperative threads of Swift tasks, which must never
/// block.
public enum BlockingWork {
    /// Runs `body` on a thread of its own and returns its result.
    ///
    /// - Parameters:
    ///   - label: the name of the thread in a debugger.
    ///   - body: checks the flag regularly and ends by its error once the calling task is cancelled.
    public static func run<Result: Sendable>(
        _ label: String = "healthsync.files", _ body: @escaping @Sendable (CancellationFlag) throws -> Result
    ) async throws -> Result {
        let flag = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // Not a global queue, whose few threads could all block on files.
                DispatchQueue(label: label).async {
                    continuation.resume(
                        with: Swift.Result {
                            try flag.check()
                            let result = try body(flag)
                            try flag.check()
                            return result
                        })
                }
            }
        } onCancel: {
            flag.raise()
        }
    }
}

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

/// An executor that runs the jobs of an actor one after the other on its own dispatch queue. It is for actors that
/// block (databases, sockets, files), which must not use the cooperative threads. (`DispatchSerialQueue` is missing
/// on Linux.)
package final class BlockingQueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// Creates an executor whose queue is named `label` in a debugger.
    package init(label: String) { queue = DispatchQueue(label: label) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}

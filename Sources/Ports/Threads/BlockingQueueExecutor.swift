import Dispatch

/// Runs an actor's jobs one after the other on a dispatch queue of its own, because they block (databases, sockets,
/// files) and the cooperative threads must not. (`DispatchSerialQueue` is missing on Linux.)
package final class BlockingQueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// An executor whose queue is named `label` in a debugger.
    package init(label: String) { queue = DispatchQueue(label: label) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}

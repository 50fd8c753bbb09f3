import Dispatch

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

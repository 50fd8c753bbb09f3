import Dispatch

/// Runs an actor on a thread of its own, so that its blocking calls hold no thread of the cooperative pool.
final class BlockingQueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

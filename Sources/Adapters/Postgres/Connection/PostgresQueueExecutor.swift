import Dispatch

/// Runs an actor's jobs one after the other on a dispatch queue, because waiting for the server blocks and the
/// cooperative threads must not.
final class PostgresQueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}

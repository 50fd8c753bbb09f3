import Dispatch

/// Runs an actor's jobs one after the other on a dispatch queue, because SQLite blocks and the cooperative threads must
/// not. (`DispatchSerialQueue` is missing on Linux.)
final class SQLiteQueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}

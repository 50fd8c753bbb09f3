import HealthSyncPorts
import Synchronization

/// Packs rows of an earlier version into pages in the background.
final class PackingTask: Sendable {
    private let worker: PostgresWorker
    private let batch: Int
    private let isStopped = CancellationFlag()
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter batch: the number of rows in a transaction.
    init(_ worker: PostgresWorker, batch: Int) {
        self.worker = worker
        self.batch = batch
    }

    /// Begins to pack, unless it is in progress. After an error it ends, and can be started again.
    func start() {
        task.withLock { task in
            guard task == nil else { return }
            // Unstructured: it continues while requests are served, and `stop` waits for it.
            task = Task {
                try? await worker.packAll(batch: batch, until: isStopped)
                self.task.withLock { $0 = nil }
            }
        }
    }

    /// Packs one batch now; returns `false` if nothing was left.
    func packNext() async throws -> Bool { try await worker.packNext(batch: batch) }

    /// Waits until the work in progress ends.
    func wait() async { await task.withLock { $0 }?.value }

    /// Ends after the current batch, and closes the session.
    func stop() async {
        isStopped.raise()
        await wait()
        await worker.close()
    }
}

extension PostgresWorker {
    fileprivate func packNext(batch: Int) throws -> Bool {
        try perform { session in
            var packing = RowPacking(batch: batch)
            return try packing.packNext(in: session)
        }
    }

    /// Packs all rows. Throws `CancellationError` once the flag is raised.
    fileprivate func packAll(batch: Int, until flag: CancellationFlag) throws {
        var packing = RowPacking(batch: batch)
        repeat { try flag.check() } while try attempt { try packing.packNext(in: $0) }
    }
}

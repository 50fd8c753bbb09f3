import HealthSyncDomain
import Synchronization

/// The end of a process at one of its changes of the stores. Stores that share a fuse die together; every later change
/// fails.
package final class Fuse: Sendable {
    private let fatal: Int
    private let afterCommit: Bool
    private let count = Mutex(0)

    /// Dies at change number `fatal`, counted from 0. If `afterCommit`, that change is still stored.
    package init(fatal: Int, afterCommit: Bool) {
        self.fatal = fatal
        self.afterCommit = afterCommit
    }

    /// The number of changes that were attempted.
    package var changes: Int { count.withLock { $0 } }
    /// Whether the process died.
    package var isBlown: Bool { changes > fatal }

    /// Performs a change of the store named `subject`, unless the process is dead.
    ///
    /// - Throws: `SyncFailure` with `.storage` if the process died before or after the change.
    package func change<Result: Sendable>(
        of subject: String, _ body: () async throws -> Result
    ) async throws -> Result {
        let number = count.withLock { count in
            count += 1
            return count - 1
        }
        if number < fatal { return try await body() }
        if number == fatal, afterCommit { _ = try await body() }
        throw SyncFailure(.storage, subject: subject, reason: "the process died", advice: "")
    }
}

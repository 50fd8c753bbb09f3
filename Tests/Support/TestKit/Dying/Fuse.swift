import HealthSyncDomain
import Synchronization

/// A fault at the changes of stores that share it: the process dies at one of them, or the disk fails at some.
package final class Fuse: Sendable {
    private struct State {
        var changes = 0
        var hasFailed = false
    }

    private let failing: Range<Int>
    private let afterCommit: Bool
    private let state = Mutex(State())

    /// The process dies at change number `fatal`, counted from 0, and every later change fails. If `afterCommit`, that
    /// change is still stored.
    package convenience init(fatal: Int, afterCommit: Bool) {
        self.init(failing: fatal..<Int.max, afterCommit: afterCommit)
    }

    /// The disk fails at the changes with these numbers, counted from 0; later ones are stored again. If `afterCommit`,
    /// the first of them is stored although it fails.
    package init(failing: Range<Int>, afterCommit: Bool) {
        self.failing = failing
        self.afterCommit = afterCommit
    }

    /// The number of changes that were attempted.
    package var changes: Int { state.withLock { $0.changes } }
    /// Whether a change failed.
    package var hasFailed: Bool { state.withLock { $0.hasFailed } }
    /// Whether the process died.
    package var isBlown: Bool { isFatal && changes > failing.lowerBound }

    private var isFatal: Bool { failing.upperBound == .max }

    /// Performs a change of the store named `subject`, unless it has to fail.
    ///
    /// - Throws: `SyncFailure` with `.storage` if the process died before or after the change, or the disk failed.
    package func change<Result: Sendable>(
        of subject: String, _ body: () async throws -> Result
    ) async throws -> Result {
        let number = state.withLock { state in
            state.changes += 1
            return state.changes - 1
        }
        guard failing.contains(number) else { return try await body() }
        // A change that throws stores nothing, so its own error is the one to report.
        if number == failing.lowerBound, afterCommit { _ = try await body() }
        state.withLock { $0.hasFailed = true }
        throw SyncFailure(
            .storage, subject: subject, reason: isFatal ? "the process died" : "disk I/O error", advice: "")
    }
}

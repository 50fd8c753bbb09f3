import Dispatch
import HealthSyncPorts

/// Runs work that blocks on files, maybe for minutes, away from the threads of Swift tasks, which must never wait.
enum OffloadedWork {
    /// Runs `body` on a thread of its own, named `label`; cancelling the calling task raises the flag that `body` checks.
    static func run<Result: Sendable>(
        _ label: String = "healthsync.files", _ body: @escaping @Sendable (CancellationFlag) throws -> Result
    ) async throws -> Result {
        let flag = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // Not a global queue: its few threads would all wait for files.
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

import Dispatch

/// Runs what blocks for seconds on a thread of its own, because the threads of Swift tasks must never wait.
enum DedicatedThread {
    /// Runs `body` on a thread named `name` and waits for it without blocking; cancelling the calling task raises the
    /// flag that `body` checks.
    static func run<Result: Sendable>(
        _ name: String, _ body: @escaping @Sendable (CancellationFlag) throws -> Result
    ) async throws -> Result {
        let flag = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue(label: name).async { continuation.resume(with: Swift.Result { try body(flag) }) }
            }
        } onCancel: {
            flag.raise()
        }
    }
}

import Dispatch

/// Runs what blocks on a thread of its own, because the threads of Swift tasks must never wait.
enum BlockingWork {
    /// Runs `body` on a thread of its own and waits for it without blocking; `stop` is set when the task is cancelled.
    static func run<Result: Sendable>(
        _ name: String, stop: StopFlag, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue(label: name).async { continuation.resume(with: Swift.Result { try body() }) }
            }
        } onCancel: {
            stop.set()
        }
    }
}

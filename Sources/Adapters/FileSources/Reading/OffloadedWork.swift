import Dispatch

/// Runs work that blocks on files away from the cooperative threads.
enum OffloadedWork {
    /// Runs `body` on a thread that may block; cancelling the calling task raises the flag that `body` checks.
    static func run<Result: Sendable>(
        _ body: @escaping @Sendable (CancellationFlag) throws -> Result
    ) async throws -> Result {
        let flag = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
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

import Dispatch

/// Runs work that blocks, such as reading a file, away from the cooperative threads of Swift tasks, which must never
/// block.
public enum BlockingWork {
    /// Runs `body` on a thread of its own and returns its result.
    ///
    /// - Parameters:
    ///   - label: the name of the thread in a debugger.
    ///   - body: checks the flag regularly and ends by its error once the calling task is cancelled.
    public static func run<Result: Sendable>(
        _ label: String = "healthsync.files", _ body: @escaping @Sendable (CancellationFlag) throws -> Result
    ) async throws -> Result {
        let flag = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // Not a global queue, whose few threads could all block on files.
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

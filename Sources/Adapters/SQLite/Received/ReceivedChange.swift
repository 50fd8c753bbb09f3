import HealthSyncDomain

/// A requested change and its waiting requester.
struct ReceivedChange: Sendable {
    /// Makes the change, once per attempt of its group; returns the closure that answers the requester after the
    /// commit.
    let perform: @Sendable (ReceivedTransaction) throws -> @Sendable () -> Void
    /// Reports to the requester that nothing was changed or that the outcome is unknown.
    let fail: @Sendable (any Error) -> Void

    /// Creates a change from `body` whose requester waits at `continuation`.
    init<Result: Sendable>(
        _ body: @escaping @Sendable (ReceivedTransaction) throws -> Result,
        for continuation: CheckedContinuation<Result, any Error>
    ) {
        perform = { transaction in
            let result = try body(transaction)
            return { continuation.resume(returning: result) }
        }
        fail = { continuation.resume(throwing: $0) }
    }

    /// A change that was made and awaits its commit.
    struct Made {
        let change: ReceivedChange
        /// Answers the requester.
        let answer: @Sendable () -> Void
        /// The users whose `steps.jsonl` must be written before the requester is answered.
        let lineUsers: Set<UserName>
    }
}

import HealthSyncDomain

/// A change that somebody asked for and waits for.
struct ReceivedChange: Sendable {
    /// Makes it, as often as it is undone with others; returns what tells the requester after the commit.
    let perform: @Sendable (ReceivedTransaction) throws -> @Sendable () -> Void
    /// Tells the requester that nothing was changed, or that nobody knows.
    let fail: @Sendable (any Error) -> Void

    /// `body` as a change whose requester waits at `continuation`.
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

    /// A change that was made and waits for its commit.
    struct Made {
        let change: ReceivedChange
        /// Tells the requester.
        let tell: @Sendable () -> Void
        /// In whose `steps.jsonl` it must stand before anybody is told.
        let lineUsers: Set<UserName>
    }
}

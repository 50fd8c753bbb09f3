import HealthSyncDomain

/// A request that waits for its commit.
struct WriteJob: Sendable {
    let write: ReceivedWrite
    /// Answers the requester; called once.
    let answer: @Sendable (Result<[StoreOutcome], any Error>) -> Void
}

import HealthSyncDomain

/// A request that waits for its commit.
struct WriteJob: Sendable {
    let write: ReceivedWrite
    /// Answers the requester; called once.
    let answer: @Sendable (Result<[StoreOutcome], any Error>) -> Void

    /// The number of its records.
    var size: Int {
        switch write.content {
        case .samples(_, let batch): batch.samples.count
        case .records(_, let records): records.count
        }
    }
}

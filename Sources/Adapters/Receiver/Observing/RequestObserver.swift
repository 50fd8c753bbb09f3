package import HealthSyncDomain

/// Is told of every request that ended.
package protocol RequestObserver: Sendable {
    /// May be called from any thread; must return at once.
    func note(_ request: ObservedRequest)
}

/// What is told of a request: nothing that a client wrote but its address, and no health value.
package struct ObservedRequest: Sendable, Hashable {
    /// Method and path template, such as `POST /steps`.
    package var operation: String
    /// The status that was answered; 0 where the connection ended before.
    package var status: Int
    package var startedAt: Instant
    package var endedAt: Instant
    /// Bytes of the body as they came.
    package var bodyBytes: Int
    /// Numeric address.
    package var remoteAddress: String

    package init(
        operation: String, status: Int, startedAt: Instant, endedAt: Instant, bodyBytes: Int, remoteAddress: String
    ) {
        self.operation = operation
        self.status = status
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.bodyBytes = bodyBytes
        self.remoteAddress = remoteAddress
    }
}

package import HealthSyncDomain

/// Receives a report of each request that ended.
package protocol RequestObserver: Sendable {
    /// Receives the report of a request. Called from any thread; must not block.
    func observe(_ request: ObservedRequest)
}

/// The report of a request. It contains no health value and nothing that the client sent, except its address.
package struct ObservedRequest: Sendable, Hashable {
    /// The number of the request since the server started.
    package var number: Int
    /// Method and path template, such as `POST /steps`.
    package var operation: String
    /// The status of the response; 0 if the connection ended before it was sent.
    package var status: Int
    package var startedAt: Instant
    package var endedAt: Instant
    /// The size of the body in bytes, as received.
    package var bodyBytes: Int
    /// The numeric address of the client.
    package var remoteAddress: String

    package init(
        number: Int, operation: String, status: Int, startedAt: Instant, endedAt: Instant, bodyBytes: Int,
        remoteAddress: String
    ) {
        self.number = number
        self.operation = operation
        self.status = status
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.bodyBytes = bodyBytes
        self.remoteAddress = remoteAddress
    }
}

/// Forwards reports to several observers.
package struct RequestObservers: RequestObserver {
    private let observers: [any RequestObserver]

    package init(_ observers: [any RequestObserver]) { self.observers = observers }

    package func observe(_ request: ObservedRequest) {
        for observer in observers { observer.observe(request) }
    }
}

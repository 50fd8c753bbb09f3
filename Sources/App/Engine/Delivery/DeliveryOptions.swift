package import HealthSyncDomain

/// How a delivery goes about it.
package struct DeliveryOptions: Sendable, Hashable {
    /// Requests in flight at once.
    package var concurrency = 3
    /// The longest that the sender waits for one request, in milliseconds.
    package var requestTimeoutMilliseconds: Int64 = 30_000
    /// Records of the one batch that is tried while the breaker is half open.
    package var probeRecords = 50
    package var policy = RetryPolicy()

    package init() {}

    /// Twice the request timeout and a margin: a lease never runs out under a request that is still at work.
    package var leaseMilliseconds: Int64 { 2 * requestTimeoutMilliseconds + 10_000 }
}

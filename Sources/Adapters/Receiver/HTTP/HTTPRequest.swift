package import HealthSyncDomain

/// A request that was admitted and read to its end.
package struct HTTPRequest: Sendable {
    package var head: RequestHead
    package var caller: Caller
    /// The body as it came, perhaps compressed.
    package var body: [UInt8]
    /// When its head was read.
    package var receivedAt: Instant

    package init(head: RequestHead, caller: Caller, body: [UInt8], receivedAt: Instant) {
        self.head = head
        self.caller = caller
        self.body = body
        self.receivedAt = receivedAt
    }
}

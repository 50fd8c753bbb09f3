/// What a server lets its clients use.
package struct ServerLimits: Hashable, Sendable {
    /// Largest body, before and after decompression, in bytes.
    package var bodyBytes = 8 << 20
    /// Largest head of a request in bytes, with what the library needs beside it.
    package var headerMemory = 32 << 10
    /// Connections at once.
    package var connections = 256
    /// Connections at once from one address; loopback is not counted unless `limitsLoopback`.
    package var connectionsPerAddress = 16
    /// Whether the limit per address holds for loopback too.
    package var limitsLoopback = false
    /// Milliseconds from the beginning of a request to the end of its head.
    package var headMilliseconds: Int64 = 10_000
    /// Milliseconds from the end of the head to the end of the body.
    package var bodyMilliseconds: Int64 = 60_000
    /// Milliseconds for a client to take an answer that is not streamed, and to be silent between requests.
    package var idleMilliseconds: Int64 = 60_000

    package init() {}
}

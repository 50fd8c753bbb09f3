/// What a server lets its clients use.
package struct ServerLimits: Hashable, Sendable {
    /// Largest body, before and after decompression, in bytes.
    package var bodyBytes = 8 << 20
    /// Largest head of a request in bytes, with what the library needs beside it.
    package var headerMemory = 32 << 10
    /// Connections at once.
    package var connections = 256
    /// Connections at once; behind a proxy, to which connections belong, requests at once from an address that it names.
    package var connectionsPerAddress = PerAddress(16)
    /// Requests a minute, all of which may come at once after a minute of silence.
    package var requestsPerMinute = PerAddress(1_200)
    /// Milliseconds from the beginning of a request to the end of its head.
    package var headMilliseconds: Int64 = 10_000
    /// Milliseconds from the end of the head to the end of the body.
    package var bodyMilliseconds: Int64 = 60_000
    /// Milliseconds for a client to take an answer that is not streamed, and to be silent between requests.
    package var idleMilliseconds: Int64 = 60_000

    package init() {}

    /// A bound for each address of a client.
    package struct PerAddress: Hashable, Sendable {
        package var count: Int
        /// Whether it holds for this machine's own programs too.
        package var holdsForLoopback: Bool

        package init(_ count: Int, holdsForLoopback: Bool = false) {
            self.count = count
            self.holdsForLoopback = holdsForLoopback
        }

        /// Whether it holds for `address`.
        func holds(for address: String) -> Bool { holdsForLoopback || !Loopback.contains(address) }
    }
}

/// The limits on requests and connections of a server.
package struct ServerLimits: Hashable, Sendable {
    /// Maximum size of a body in bytes, before and after decompression.
    package var bodyBytes = 8 << 20
    /// Maximum size of a body in bytes if the request needs no token: it is in memory before anyone is identified.
    package static let anonymousBody = 64 << 10
    /// Maximum size of a request's head in bytes.
    package var headerMemory = 32 << 10
    /// Maximum number of concurrent connections. If it is reached, a new one replaces one that waits for its client.
    package var connections = 256
    /// Maximum number of concurrent connections from one address. Behind a proxy, which owns the connections, the
    /// maximum number of concurrent requests from one forwarded address.
    package var connectionsPerAddress = PerAddress(16)
    /// Maximum number of connections on which requests of one user are read or answered: half, so that no user holds all of
    /// them, at whatever rate the bodies arrive. Requests that wait for posts do not count, because a new client may have
    /// their connections.
    var connectionsPerUser: Int { max(1, connections / 2) }
    /// Maximum number of requests a minute from one address, all of which may come at once after an idle minute.
    package var requestsPerMinute = PerAddress(1_200)
    /// Milliseconds from the start of a request to the end of its head.
    package var headMilliseconds: Int64 = 10_000
    /// Milliseconds from the end of the head to the end of the body, in addition to what `bodyBytesPerSecond` allows.
    package var bodyMilliseconds: Int64 = 60_000
    /// The rate at which a long body must arrive, in bytes per second: each received byte extends its deadline. The
    /// default is that of a phone with poor reception.
    package var bodyBytesPerSecond: Int64 = 16 << 10
    /// Milliseconds in which a client must read a response, or a piece of a streamed one, and the longest pause between
    /// requests.
    package var idleMilliseconds: Int64 = 60_000
    /// Milliseconds after which a client that sends a body more slowly than `bodyBytesPerSecond`, or does not read its
    /// response, may lose its connection to a new client when all connections are in use.
    package var patienceMilliseconds: Int64 = 5_000
    /// Milliseconds after which a client may lose its connection to a new one, when all are in use, although its token is
    /// still being checked, or it sends the body of a request that needs no token.
    package var decisionMilliseconds: Int64 = 1_000
    /// Milliseconds for which a client's data are discarded after the last response of a connection.
    package var lingerMilliseconds: Int64 = 2_000
    /// Maximum number of values in a JSON body.
    package var jsonValues = 500_000
    /// Maximum size of all bodies in memory together, in bytes. Longer bodies that exceed it get 503.
    package var bodyMemory = 128 << 20
    /// Maximum number of raw samples in a request.
    package var samples = 5_000

    package init() {}

    /// A limit for each client address.
    package struct PerAddress: Hashable, Sendable {
        package var count: Int
        /// Whether the limit also applies to loopback addresses.
        package var includesLoopback: Bool

        package init(_ count: Int, includesLoopback: Bool = false) {
            self.count = count
            self.includesLoopback = includesLoopback
        }

        /// Returns whether the limit applies to `address`.
        func applies(to address: String) -> Bool { includesLoopback || !Loopback.contains(address) }
    }
}

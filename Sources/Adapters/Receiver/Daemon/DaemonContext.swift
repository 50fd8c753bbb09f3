import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// The state that the connections of a server share.
final class DaemonContext: Sendable {
    let router: any RequestRouter
    let limits: ServerLimits
    let time: any TimeSource
    /// Measures durations, which do not change when the time of day is set.
    let clock: any TimeSource
    let connections: ConnectionTable
    private let rate: RequestRate
    let observer: any RequestObserver
    /// The proxies that state the client's address in `X-Forwarded-For`.
    let trustedProxies: [AddressRange]
    /// Whether clients must have a private, link-local or loopback address.
    let acceptsOnlyPrivateAddresses: Bool
    private let isStoppingFlag = Atomic(false)
    private let requests = Atomic(0)
    private let bodyMemory = Atomic(0)

    init(
        router: any RequestRouter, limits: ServerLimits, time: any TimeSource, clock: any TimeSource,
        observer: any RequestObserver, trustedProxies: [AddressRange], acceptsOnlyPrivateAddresses: Bool
    ) {
        self.router = router
        self.limits = limits
        self.time = time
        self.clock = clock
        self.observer = observer
        self.trustedProxies = trustedProxies
        self.acceptsOnlyPrivateAddresses = acceptsOnlyPrivateAddresses
        connections = ConnectionTable(limits: limits)
        rate = RequestRate(limits.requestsPerMinute)
    }

    var isStopping: Bool { isStoppingFlag.load(ordering: .acquiring) }
    func beginStopping() { isStoppingFlag.store(true, ordering: .releasing) }

    /// Returns the number of a new request.
    func nextRequest() -> Int { requests.add(1, ordering: .relaxed).newValue }

    /// Counts `bytes` of a body, negative when they are no longer needed. Returns whether all bodies together are within
    /// the limit.
    func holds(_ bytes: Int) -> Bool { bodyMemory.add(bytes, ordering: .relaxed).newValue <= limits.bodyMemory }

    /// Counts a request. Returns the response to a client that exceeds a limit on requests, or `nil`.
    func limitError(for head: RequestHead, over connection: UInt) -> HTTPResponse? {
        if let seconds = rate.secondsToWait(head.remoteNetwork, at: clock.now()) {
            return .problem(
                429, "too many requests from this address", headers: [.init("Retry-After", String(seconds))])
        }
        guard !trustedProxies.isEmpty, !connections.accepts(head.remoteAddress, over: connection) else { return nil }
        return .problem(
            429, "too many concurrent requests from this address", headers: [.init("Retry-After", "1")])
    }

    /// Returns the client's address. If the proxy does not state one, it is that of the proxy, unless clients must have
    /// a private address: then the client may have any.
    ///
    /// - Parameter forwarded: the last header `X-Forwarded-For`.
    func clientAddress(peer: ClientAddress, forwarded: String?) -> String {
        let client = ClientAddress(peer: peer, forwarded: forwarded, trusting: trustedProxies)
        return client?.text ?? (acceptsOnlyPrivateAddresses ? "unknown" : peer.text)
    }
}

import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// The state that the daemon's callbacks share.
final class DaemonContext: Sendable {
    let router: any RequestRouter
    let limits: ServerLimits
    let time: any TimeSource
    let connections: ConnectionTable
    private let rate: RequestRate
    let observer: any RequestObserver
    /// Whether a trusted proxy forwards the requests and states the client's address.
    let isBehindProxy: Bool
    /// Whether clients must have a private, link-local or loopback address.
    let acceptsOnlyPrivateAddresses: Bool
    private let isStoppingFlag = Atomic(false)
    private let requests = Atomic(0)

    init(
        router: any RequestRouter, limits: ServerLimits, time: any TimeSource, observer: any RequestObserver,
        isBehindProxy: Bool, acceptsOnlyPrivateAddresses: Bool
    ) {
        self.router = router
        self.limits = limits
        self.time = time
        self.observer = observer
        self.isBehindProxy = isBehindProxy
        self.acceptsOnlyPrivateAddresses = acceptsOnlyPrivateAddresses
        connections = ConnectionTable(limits: limits)
        rate = RequestRate(limits.requestsPerMinute)
    }

    var isStopping: Bool { isStoppingFlag.load(ordering: .acquiring) }
    func beginStopping() { isStoppingFlag.store(true, ordering: .releasing) }

    /// Returns the number of a new request.
    func nextRequest() -> Int { requests.add(1, ordering: .relaxed).newValue }

    /// Counts a request. Returns the response to a client that exceeds a limit on requests, or `nil`.
    func limitError(for head: RequestHead, over connection: UInt) -> HTTPResponse? {
        if let seconds = rate.secondsToWait(head.remoteAddress, at: time.now()) {
            return .problem(
                429, "too many requests from this address", headers: [.init("Retry-After", String(seconds))])
        }
        guard isBehindProxy, !connections.accepts(head.remoteAddress, over: connection) else { return nil }
        return .problem(
            429, "too many concurrent requests from this address", headers: [.init("Retry-After", "1")])
    }

    /// Returns the client's address. Of several forwarded addresses it is the last one, which the proxy itself wrote.
    func clientAddress(peer: String, forwarded: String?) -> String {
        guard isBehindProxy, let last = forwarded?.split(separator: ",").last else { return peer }
        return String(last.prefix(64)).filter { !$0.isWhitespace }
    }
}

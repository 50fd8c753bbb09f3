import HealthSyncPorts
import HealthSyncDomain
import Synchronization

/// What the daemon's callbacks share.
final class DaemonContext: Sendable {
    let responder: any HTTPResponder
    let limits: ServerLimits
    let time: any TimeSource
    let connections: ConnectionTable
    private let rate: RequestRate
    let observer: any RequestObserver
    /// Whether a proxy stands before the server, whose word on the client's address is taken.
    let isBehindProxy: Bool
    private let isStoppingFlag = Atomic(false)

    init(
        responder: any HTTPResponder, limits: ServerLimits, time: any TimeSource, observer: any RequestObserver,
        isBehindProxy: Bool
    ) {
        self.responder = responder
        self.limits = limits
        self.time = time
        self.observer = observer
        self.isBehindProxy = isBehindProxy
        connections = ConnectionTable(limits: limits)
        rate = RequestRate(limits.requestsPerMinute)
    }

    var isStopping: Bool { isStoppingFlag.load(ordering: .acquiring) }
    func beginStopping() { isStoppingFlag.store(true, ordering: .releasing) }

    /// What a client is told whose address makes too many requests; `nil` where it does not.
    func overuse(by head: RequestHead, over connection: UInt) -> HTTPResponse? {
        if let seconds = rate.secondsToWait(head.remoteAddress, at: time.now()) {
            return .problem(
                429, "too many requests from this address", headers: [.init("Retry-After", String(seconds))])
        }
        guard isBehindProxy, !connections.accepts(head.remoteAddress, over: connection) else { return nil }
        return .problem(429, "too many requests at once from this address", headers: [.init("Retry-After", "1")])
    }

    /// The client's address: of what a proxy says the last, which the proxy itself wrote.
    func clientAddress(peer: String, forwarded: String?) -> String {
        guard isBehindProxy, let last = forwarded?.split(separator: ",").last else { return peer }
        return String(last.prefix(64)).filter { !$0.isWhitespace }
    }
}

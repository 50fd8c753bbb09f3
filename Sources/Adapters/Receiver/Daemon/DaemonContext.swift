import HealthSyncPorts
import HealthSyncDomain
import Synchronization

/// What the daemon's callbacks share.
final class DaemonContext: Sendable {
    let responder: any HTTPResponder
    let limits: ServerLimits
    let time: any TimeSource
    let connections: ConnectionTable
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
    }

    var isStopping: Bool { isStoppingFlag.load(ordering: .acquiring) }
    func beginStopping() { isStoppingFlag.store(true, ordering: .releasing) }

    /// The client's address: of what a proxy says the last, which the proxy itself wrote.
    func clientAddress(peer: String, forwarded: String?) -> String {
        guard isBehindProxy, let last = forwarded?.split(separator: ",").last else { return peer }
        return String(last.prefix(64)).filter { !$0.isWhitespace }
    }
}

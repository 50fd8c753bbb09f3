import HealthSyncPorts
import Synchronization

/// Whether and where a watch process receives posts, for its dashboard.
final class WatchReception: Sendable {
    private let current: Mutex<InboxReception>

    init(_ options: WatchOptions, _ inbox: InboxFactory) {
        var reception = InboxReception(address: inbox.usualAddress, state: .none)
        if let listen = options.inbox {
            // Of the addresses of this machine, phones need the one in their network.
            let isAny = ["0.0.0.0", "::"].contains(listen.host)
            let host = isAny ? inbox.localAddress() ?? "127.0.0.1" : listen.host
            reception.address = InboxAddress(host: host, port: listen.port)
            reception.state = listen.isLoopback ? .receivingLocally : .receiving
        }
        current = Mutex(reception)
    }

    /// Notes the port that was selected for `--listen HOST:0`, from the address at which the inbox accepts posts.
    func accepts(at address: String) {
        guard let port = address.split(separator: ":").last, UInt16(port) != nil else { return }
        current.withLock { reception in
            guard reception.address.text.hasSuffix(":0") else { return }
            reception.address = InboxAddress(String(reception.address.text.dropLast()) + port) ?? reception.address
        }
    }

    var now: InboxReception { current.withLock { $0 } }
}

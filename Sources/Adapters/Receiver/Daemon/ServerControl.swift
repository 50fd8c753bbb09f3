import Synchronization

/// What other threads tell the thread of a server.
final class ServerControl: Sendable {
    enum Message: Sendable {
        /// A task of this connection has finished its work.
        case resume(UInt)
        /// Accept no further connections.
        case stopListening
        /// Close all connections and end the thread.
        case stop
    }

    private struct State {
        var messages: [Message] = []
        var tls: TLSContext?
    }

    private let poller: Poller
    private let state: Mutex<State>

    init(poller: Poller, tls: TLSContext?) {
        self.poller = poller
        state = Mutex(State(tls: tls))
    }

    func send(_ message: Message) {
        let isFirst = state.withLock { state in
            state.messages.append(message)
            return state.messages.count == 1
        }
        // Without the lock, which the thread that wakes up takes at once.
        if isFirst { poller.wake() }
    }

    /// Returns the messages since the last call.
    func take() -> [Message] {
        state.withLock { state in
            guard !state.messages.isEmpty else { return [] }
            defer { state.messages.removeAll() }
            return state.messages
        }
    }

    /// The context of new TLS sessions; `nil` for plain HTTP.
    var tls: TLSContext? { state.withLock { $0.tls } }

    /// Uses `tls` for connections that are accepted from now on.
    func use(_ tls: TLSContext) { state.withLock { $0.tls = tls } }
}

/// A connection, for tasks that work for it.
struct ConnectionHandle: Sendable {
    /// Identifies the connection; never used again for another one.
    let key: UInt
    let control: ServerControl

    /// Continues the connection, whose task has finished its work.
    func resume() { control.send(.resume(key)) }
}

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
        var isClosed = false
        var tls: TLSContext?
    }

    private let poller: Poller
    private let state: Mutex<State>

    init(poller: Poller, tls: TLSContext?) {
        self.poller = poller
        state = Mutex(State(tls: tls))
    }

    func send(_ message: Message) {
        // Under the lock, because the poller is not used after `close`.
        state.withLock { state in
            guard !state.isClosed else { return }
            state.messages.append(message)
            if state.messages.count == 1 { poller.wake() }
        }
    }

    /// Returns the messages since the last call.
    func take() -> [Message] {
        state.withLock { state in
            defer { state.messages.removeAll() }
            return state.messages
        }
    }

    /// Ignores all further messages.
    func close() {
        state.withLock { $0.isClosed = true }
        poller.close()
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

import CHealthSyncSockets
import Foundation
import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// Accepts connections and moves their bytes. One thread runs it and uses everything in it; work that may block runs in
/// tasks.
final class ServerThread {
    private let context: DaemonContext
    private let control: ServerControl
    private let poller: Poller
    private let listening: Socket
    private var connections: [UInt: Connection] = [:]
    private var lastKey = UInt(listeningKey)
    /// A connection that was accepted while all others were busy, or while hardly any further file could be opened.
    private var held: (socket: Socket, address: ClientAddress)?
    private var isAccepting = true
    /// When to accept connections again after the process could not open further files.
    private var retriesAt = Instant(milliseconds: 0)
    /// Connections that continue in another turn.
    private var unfinished: Set<UInt> = []
    private var isStopped = false

    private static let listeningKey: UInt64 = 0
    /// Connections that are accepted before those that are open are served again.
    private static let acceptedAtOnce = 16
    /// Files that connections leave to the rest of the program. Without a free descriptor stores fail, and libdispatch ends
    /// the process: it opens a file of each of its threads every second.
    private static let filesOfOthers: UInt64 = 16
    /// How long to wait before the next attempt to accept connections, if none of the open ones may be closed.
    private static let retryMilliseconds: Int32 = 250

    init(context: DaemonContext, control: ServerControl, poller: Poller, listening: Socket) {
        self.context = context
        self.control = control
        self.poller = poller
        self.listening = listening
    }

    /// Serves until `ServerControl.Message.stop`.
    func run() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        poller.add(listening, key: Self.listeningKey, reads: true, writes: false)
        while !isStopped {
            let limit = !unfinished.isEmpty ? 0 : isAccepting ? -1 : Self.retryMilliseconds
            for event in poller.wait(milliseconds: limit) {
                if event.key == Self.listeningKey { accept() }
                serve(UInt(event.key)) { $0.handle(event, buffer: &buffer) }
            }
            for key in unfinished { serve(key) { $0.takeTurn(buffer: &buffer) } }
            for message in control.take() {
                switch message {
                case .resume(let key): serve(key) { $0.resume(buffer: &buffer) }
                case .stopListening: stopListening()
                case .stop: isStopped = true
                }
            }
            if !isAccepting { continueAccepting() }
        }
        stopListening()
        for connection in connections.values { connection.fail() }
    }

    private func serve(_ key: UInt, _ body: (Connection) -> Void) {
        guard let connection = connections[key] else { return }
        body(connection)
        if connection.isClosed { connections[key] = nil }
        if connection.wantsTurn, !connection.isClosed {
            unfinished.insert(key)
        } else if !unfinished.isEmpty {
            unfinished.remove(key)
        }
    }

    private func accept() {
        for _ in 0..<Self.acceptedAtOnce where isAccepting {
            var text = [CChar](repeating: 0, count: 64)
            let accepted = listening.withDescriptor { unsafe healthsync_accept($0, &text, text.count) }
            guard let accepted else { return }
            guard accepted >= 0 else {
                // Without further descriptors the listening socket would stay readable.
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(-accepted) {
                    retriesAt = context.clock.now().advanced(byMilliseconds: Int64(Self.retryMilliseconds))
                    pauseAccepting()
                }
                return
            }
            let socket = Socket(owning: accepted)
            let name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard let address = ClientAddress(name), context.connections.accepts(address.text) else {
                socket.close()
                continue
            }
            guard hasRoom(), leavesFiles(socket) else {
                held = (socket, address)
                return pauseAccepting()
            }
            open(socket, address)
        }
    }

    private func leavesFiles(_ socket: Socket) -> Bool {
        socket.withDescriptor { healthsync_free_files($0) >= Self.filesOfOthers } ?? true
    }

    /// Returns whether another connection is within the limit, if need be after closing one that waits for its client. A
    /// request that waits on the server is answered first; then there is room a moment later.
    private func hasRoom() -> Bool {
        guard connections.count >= context.limits.connections else { return true }
        guard let key = context.connections.mostDispensable(at: context.clock.now()) else { return false }
        serve(key) { $0.release() }
        return connections.count < context.limits.connections
    }

    private func open(_ socket: Socket, _ address: ClientAddress) {
        guard let transport = Transport(socket: socket, tls: control.tls) else { return socket.close() }
        lastKey += 1
        context.connections.opened(lastKey, socket: socket, address: address.text, at: context.clock.now())
        connections[lastKey] = Connection(
            ConnectionHandle(key: lastKey, control: control), transport: transport, address: address, context: context,
            poller: poller)
    }

    private func pauseAccepting() {
        isAccepting = false
        poller.remove(listening)
    }

    private func continueAccepting() {
        guard held != nil || context.clock.now() >= retriesAt else { return }
        if let waiting = held {
            guard hasRoom(), leavesFiles(waiting.socket) else { return }
            held = nil
            open(waiting.socket, waiting.address)
        }
        isAccepting = true
        poller.add(listening, key: Self.listeningKey, reads: true, writes: false)
    }

    private func stopListening() {
        held?.socket.close()
        held = nil
        if isAccepting { poller.remove(listening) }
        listening.close()
    }
}

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

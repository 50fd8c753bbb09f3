import HealthSyncDomain
import HealthSyncPorts

/// A connection and its current request. Only the thread of its server uses it.
final class Connection {
    /// What the connection does.
    enum Phase {
        /// Waits for a request, or reads its head.
        case head
        /// Reads the body.
        case body
        /// Waits for a task.
        case waiting
        /// Sends the response.
        case sending
        /// Has sent a last response, and discards what the client still sends: closing the socket earlier could destroy the
        /// response before the client reads it.
        case lingering
    }

    let handle: ConnectionHandle
    let address: ClientAddress
    let context: DaemonContext
    private let poller: Poller
    let transport: Transport
    var phase = Phase.head
    /// Received bytes; those before `start` were used.
    var input: [UInt8] = []
    var start = 0
    var scanner = HeadScanner()
    var exchange: Exchange?
    var decoder: BodyDecoder?
    /// The head of the current request, once it was read.
    var head: RequestHead?
    /// Bytes to send; those before `sent` were sent.
    var output: [UInt8] = []
    var sent = 0
    var pump: StreamPump?
    var closesAfterResponse = false
    /// Whether the client has finished sending.
    private(set) var hasEnded = false
    var isClosed: Bool { transport.isClosed }
    private var readWantsWrite = false
    var writeWantsRead = false
    private var observed = (reads: true, writes: false)
    var isObserved = true
    /// The steps and reads that remain of this turn, so that no client can occupy the thread.
    private var turn = (steps: 0, reads: 0)
    /// Whether the connection continues in another turn, although no event will report it.
    private(set) var wantsTurn = false

    private static let largestBacklog = 32 << 10
    private static let wholeTurn = (steps: 16, reads: 4)

    init(
        _ handle: ConnectionHandle, transport: Transport, address: ClientAddress, context: DaemonContext, poller: Poller
    ) {
        self.handle = handle
        self.transport = transport
        self.address = address
        self.context = context
        self.poller = poller
        poller.add(transport.socket, key: UInt64(handle.key), reads: true, writes: false)
    }

    /// Handles an event of the socket.
    func handle(_ event: Poller.Event, buffer: inout [UInt8]) {
        if !observed.reads, !observed.writes {
            // The connection failed. Writing the response will report it.
            guard case .waiting = phase else { return fail() }
            poller.remove(transport.socket)
            isObserved = false
            return
        }
        beginTurn()
        if event.isWritable || (writeWantsRead && event.isReadable) {
            flush()
            // A further request may have arrived before the response was sent.
            advance()
        }
        if event.isReadable || (readWantsWrite && event.isWritable) { receive(&buffer) }
        observe()
    }

    /// Continues after a turn that ended early.
    func takeTurn(buffer: inout [UInt8]) {
        beginTurn()
        advance()
        if transport.hasPending { receive(&buffer) }
        observe()
    }

    private func beginTurn() {
        turn = Self.wholeTurn
        wantsTurn = false
    }

    /// Continues after a task has finished its work.
    func resume(buffer: inout [UInt8]) {
        beginTurn()
        if case .sending = phase {
            sendPiece()
        } else if case .waiting = phase, let exchange {
            perform(context.resumed(exchange, on: handle))
        }
        advance()
        if transport.hasPending { receive(&buffer) }
        observe()
    }

    // MARK: Receiving

    private var wantsInput: Bool {
        guard !hasEnded, !isClosed else { return false }
        if case .lingering = phase { return true }
        return input.count - start < max(Self.largestBacklog, context.limits.headerMemory)
    }

    private func receive(_ buffer: inout [UInt8]) {
        readWantsWrite = false
        var isDrained = false
        while wantsInput, !isDrained, !wantsTurn {
            guard turn.reads > 0 else {
                // What remains in the socket is reported again; what remains in TLS is not.
                wantsTurn = transport.hasPending
                return
            }
            turn.reads -= 1
            switch transport.read(into: &buffer) {
            case .bytes(let count):
                isDrained = count < buffer.count
                if case .lingering = phase { break }
                input += buffer[..<count]
            case .end: hasEnded = true
            case .wantsRead: return
            case .wantsWrite:
                readWantsWrite = true
                return
            case .failed: return fail()
            }
            advance()
            isDrained = isDrained && !transport.hasPending
        }
    }

    /// Handles as much of the input as possible in this turn.
    private func advance() {
        var continues = true
        while continues, !isClosed {
            switch phase {
            case .waiting, .sending: return
            case .head, .body, .lingering:
                guard turn.steps > 0 || start == input.count else {
                    wantsTurn = true
                    return
                }
                turn.steps -= 1
            }
            switch phase {
            case .waiting, .sending: return
            case .head: continues = readHead()
            case .body: continues = readBody()
            case .lingering:
                (input, start) = ([], 0)
                if hasEnded { close() }
                return
            }
        }
    }

    /// Forgets the input that was used, unless moving the rest would cost more than receiving it did.
    func compact() {
        guard start > 0, start >= input.count - start else { return }
        if start == input.count {
            input.removeAll(keepingCapacity: start <= Self.largestBacklog)
        } else {
            input.removeFirst(start)
        }
        start = 0
    }

    func clearOutput() {
        output.removeAll(keepingCapacity: output.count <= Self.largestBacklog)
        sent = 0
    }

    // MARK: Closing

    /// Makes room for another client: ends a wait, whose request is then answered before the connection closes, or else
    /// closes the connection.
    func release() {
        guard let exchange, context.connections.beginEnding(handle.key, at: context.clock.now()) else { return fail() }
        exchange.endWait()
    }

    /// Closes the connection without completing its request.
    func fail() {
        guard !isClosed else { return }
        if let exchange { context.ended(exchange, on: handle.key) }
        exchange = nil
        close()
    }

    func close() {
        guard !isClosed else { return }
        pump = nil
        context.connections.closed(handle.key)
        transport.close()
    }

    /// Observes the socket for what can continue the connection.
    private func observe() {
        guard !isClosed, isObserved else { return }
        let reads = wantsInput || writeWantsRead
        let writes = (!output.isEmpty && !writeWantsRead) || readWantsWrite
        guard observed != (reads, writes) else { return }
        observed = (reads, writes)
        poller.change(transport.socket, key: UInt64(handle.key), reads: reads, writes: writes)
    }
}

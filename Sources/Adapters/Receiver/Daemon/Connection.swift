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
    private(set) var isClosed = false
    private var readWantsWrite = false
    var writeWantsRead = false
    private var observed = (reads: true, writes: false)
    var isObserved = true

    private static let largestBacklog = 32 << 10

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
            poller.remove(transport.socket)
            isObserved = false
            return
        }
        if event.isWritable || (writeWantsRead && event.isReadable) { flush() }
        if event.isReadable || (readWantsWrite && event.isWritable) { receive(&buffer) }
        observe()
    }

    /// Continues after a task has finished its work.
    func resume(buffer: inout [UInt8]) {
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
        while wantsInput, !isDrained {
            switch transport.read(into: &buffer) {
            case .bytes(let count):
                if case .lingering = phase { break }
                input += buffer[..<count]
                isDrained = count < buffer.count
            case .end: hasEnded = true
            case .wantsRead: return
            case .wantsWrite:
                readWantsWrite = true
                return
            case .failed: return fail()
            }
            advance()
            // What remains in the socket is reported again; what remains in TLS is not.
            isDrained = isDrained && (isClosed || !transport.hasPending)
        }
    }

    /// Handles as much of the input as possible.
    private func advance() {
        var continues = true
        while continues, !isClosed {
            switch phase {
            case .head: continues = readHead()
            case .body: continues = readBody()
            case .waiting, .sending: return
            case .lingering:
                input = []
                if hasEnded { close() }
                return
            }
        }
    }

    /// Forgets the input that was used.
    func compact() {
        guard start > 0 else { return }
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

    /// Closes the connection without completing its request.
    func fail() {
        guard !isClosed else { return }
        if let exchange { context.ended(exchange, on: handle.key) }
        exchange = nil
        close()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        pump = nil
        if isObserved { poller.remove(transport.socket) }
        // Before the socket is closed, because its number may then belong to another connection.
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

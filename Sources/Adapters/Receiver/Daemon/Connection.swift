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

    private let handle: ConnectionHandle
    private let address: ClientAddress
    private let context: DaemonContext
    private let poller: Poller
    private let transport: Transport
    private var phase = Phase.head
    /// Received bytes; those before `start` were used.
    private var input: [UInt8] = []
    private var start = 0
    private var scanner = HeadScanner()
    private var exchange: Exchange?
    private var decoder: BodyDecoder?
    /// The head of the current request, once it was read.
    private var head: RequestHead?
    /// Bytes to send; those before `sent` were sent.
    private var output: [UInt8] = []
    private var sent = 0
    private var pump: StreamPump?
    private var closesAfterResponse = false
    /// Whether the client has finished sending.
    private var hasEnded = false
    var isClosed: Bool { transport.isClosed }
    private var readWantsWrite = false
    private var writeWantsRead = false
    private var observed = (reads: true, writes: false)
    private var isObserved = true
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
    private func compact() {
        guard start > 0, start >= input.count - start else { return }
        if start == input.count {
            input.removeAll(keepingCapacity: start <= Self.largestBacklog)
        } else {
            input.removeFirst(start)
        }
        start = 0
    }

    private func clearOutput() {
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

    private func close() {
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

/// Reading a request.
extension Connection {
    /// Reads the head of a request. Returns whether the input may contain more.
    private func readHead() -> Bool {
        guard start < input.count else {
            if hasEnded { close() }
            return false
        }
        let exchange = exchange ?? beginExchange()
        switch scanner.scan(input[start...]) {
        case .incomplete:
            if hasEnded {
                fail()
            } else if input.count - start >= context.limits.headerMemory {
                respond(
                    .problem(431, "the head of a request has at most \(context.limits.headerMemory) bytes"),
                    closes: true)
            }
            return false
        case .invalid(let reason): respond(.problem(400, reason), closes: true)
        case .complete(let count) where count > context.limits.headerMemory:
            respond(
                .problem(431, "the head of a request has at most \(context.limits.headerMemory) bytes"), closes: true)
        case .complete(let count):
            do throws(HeadParser.Failure) {
                let parsed = try HeadParser(input[start..<start + count])
                start += count
                accept(parsed, of: exchange)
            } catch {
                respond(.problem(error.status, error.reason), closes: true)
            }
        }
        return true
    }

    private func beginExchange() -> Exchange {
        context.connections.set(.head, of: handle.key, at: context.clock.now())
        let exchange = Exchange(number: context.nextRequest(), startedAt: context.time.now())
        self.exchange = exchange
        return exchange
    }

    private func accept(_ parsed: HeadParser, of exchange: Exchange) {
        let forwarded = RequestHead.values("x-forwarded-for", in: parsed.headers).last
        let head = RequestHead(
            number: exchange.number, method: parsed.method, target: parsed.target, version: parsed.version,
            headers: parsed.headers, remoteAddress: context.clientAddress(peer: address, forwarded: forwarded))
        self.head = head
        decoder = BodyDecoder(head)
        perform(context.begin(exchange, head: head, on: handle))
    }

    private static let smallPiece = 1 << 10
    private static let mostJoined = 64

    /// Reads a piece of the body. Returns whether the input may contain more.
    private func readBody() -> Bool {
        guard let exchange, var decoder else { return false }
        var joined: [UInt8] = []
        var step = decoder.next(input, from: &start)
        var count = 0
        // Each piece costs more than its bytes, so the smallest ones are joined.
        while case .piece(let range) = step, decoder.isChunked, range.count < Self.smallPiece, count < Self.mostJoined {
            joined += input[range]
            start = range.upperBound
            count += 1
            step = decoder.next(input, from: &start)
        }
        self.decoder = decoder
        if !joined.isEmpty,
            let next = unsafe joined.withUnsafeBytes({ unsafe context.append($0, to: exchange, on: handle) })
        {
            perform(next)
            return true
        }
        switch step {
        case .incomplete:
            compact()
            if hasEnded { fail() }
            return false
        case .piece(let range):
            let next = unsafe input[range].withUnsafeBytes { unsafe context.append($0, to: exchange, on: handle) }
            start = range.upperBound
            if let next { perform(next) }
        case .end(let position):
            start = position
            compact()
            perform(context.complete(exchange, on: handle))
        case .invalid(let reason): respond(.problem(400, reason), closes: true)
        }
        return true
    }
}

/// Sending a response.
extension Connection {
    /// Takes the next step of the request.
    private func perform(_ step: FlowStep) {
        switch step {
        case .read:
            phase = .body
            guard let decoder, !decoder.isEmpty, start == input.count, head?.expectsContinue == true else { return }
            output += ResponseWriter.goAhead
            flush()
        case .wait: phase = .waiting
        case .respond(let response, let closes): respond(response, closes: closes)
        }
    }

    /// Sends `response`. With `closes`, the connection ends after it.
    private func respond(_ response: HTTPResponse, closes: Bool) {
        guard let exchange else { return fail() }
        var writer = ResponseWriter(now: context.time.now())
        writer.isHead = head?.method == "HEAD"
        writer.isOldVersion = head?.version == "HTTP/1.0"
        closesAfterResponse = closes || context.isStopping || writer.isOldVersion || head?.closesConnection ?? true
        writer.closes = closesAfterResponse
        writer.write(response, to: &output)
        phase = .sending
        context.sends(response, of: exchange, on: handle)
        if case .stream(let stream) = response.body, !writer.isHead { pump = StreamPump(stream, connection: handle) }
        flush()
    }

    /// Sends the piece of a streamed body that a task has created.
    private func sendPiece() {
        guard let pump else { return }
        let writer = ResponseWriter(isOldVersion: head?.version == "HTTP/1.0", now: context.time.now())
        switch pump.take() {
        case .none: return
        case .bytes(let piece): writer.writeChunk(piece, to: &output)
        case .end:
            writer.writeChunk(nil, to: &output)
            self.pump = nil
        case .failed: return fail()
        }
        context.connections.set(.sending, of: handle.key, at: context.clock.now())
        flush()
    }

    private func flush() {
        writeWantsRead = false
        while sent < output.count, !isClosed {
            switch transport.write(output[sent...]) {
            case .bytes(let count): sent += count
            case .wantsRead:
                writeWantsRead = true
                return
            case .wantsWrite where isObserved: return
            case .wantsWrite, .end, .failed: return fail()
            }
        }
        guard !isClosed, case .sending = phase else { return clearOutput() }
        let hadOutput = !output.isEmpty
        clearOutput()
        if let pump {
            // Once for each piece.
            guard hadOutput else { return }
            context.connections.set(.responding, of: handle.key, at: context.clock.now())
            pump.fetch()
        } else {
            finishResponse()
        }
    }

    private func finishResponse() {
        let isWholeRequest = decoder?.isAtEnd ?? false
        if let exchange { context.ended(exchange, on: handle.key) }
        (exchange, head, decoder, scanner, phase) = (nil, nil, nil, HeadScanner(), .head)
        guard closesAfterResponse else { return }
        let closesNow = hasEnded || (isWholeRequest && start == input.count)
        transport.finishWriting(closesNow: closesNow)
        guard !closesNow else { return close() }
        phase = .lingering
        context.connections.set(.lingering, of: handle.key, at: context.clock.now())
    }
}

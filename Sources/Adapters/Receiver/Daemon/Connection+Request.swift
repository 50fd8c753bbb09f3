import HealthSyncDomain
import HealthSyncPorts

/// Reading a request.
extension Connection {
    /// Reads the head of a request. Returns whether the input may contain more.
    func readHead() -> Bool {
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
    func readBody() -> Bool {
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

import HealthSyncDomain
import HealthSyncPorts

/// Sending a response.
extension Connection {
    /// Takes the next step of the request.
    func perform(_ step: FlowStep) {
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
    func respond(_ response: HTTPResponse, closes: Bool) {
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
    func sendPiece() {
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

    func flush() {
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

    func finishResponse() {
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

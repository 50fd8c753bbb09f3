import CHealthSyncMicroHTTPD
import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// The steps of a request from its head to its response.
extension DaemonContext {
    /// Handles a request whose head was read: finds its handler and decides whether to read the body.
    func begin(_ exchange: Exchange, head: RequestHead, on connection: ConnectionHandle) -> MHD_Result {
        let handler = router.handler(for: head)
        exchange.state.withLock { state in
            state.head = head
            state.handler = handler
        }
        if let error = FramingCheck.error(in: head) {
            return send(.problem(400, error), of: exchange, on: connection, closes: true)
        }
        if acceptsOnlyPrivateAddresses, !PrivateNetwork.contains(head.remoteAddress) {
            return send(
                .problem(403, "this server accepts only private addresses"), of: exchange, on: connection, closes: true)
        }
        if isStopping {
            let response = HTTPResponse.problem(
                503, "the server is stopping", headers: [.init("Retry-After", "5")])
            return send(response, of: exchange, on: connection, closes: true)
        }
        if let response = limitError(for: head, over: connection.key) {
            return proceed(exchange, with: .reject(response), on: connection)
        }
        let limit = handler.bodyLimit ?? limits.bodyBytes
        if let length = head.contentLength, length > limit {
            return send(bodyTooLarge(limit), of: exchange, on: connection, closes: true)
        }
        if let admission = handler.quickAdmission() { return proceed(exchange, with: admission, on: connection) }
        exchange.set(.deciding)
        connections.set(.responding, of: connection.key, at: time.now())
        connection.suspend()
        // Unstructured because the library's polling thread has no task. Ends by resuming the connection.
        Task {
            exchange.set(.decided(await handler.admission()))
            connection.resume()
        }
        return .YES
    }

    private func bodyTooLarge(_ limit: Int) -> HTTPResponse { .problem(413, "a body has at most \(limit) bytes") }

    /// Begins to read the body of an accepted request, or to reject the request.
    func proceed(_ exchange: Exchange, with admission: Admission, on connection: ConnectionHandle) -> MHD_Result {
        connections.set(.body, of: connection.key, at: time.now())
        switch admission {
        case .accept(let caller):
            let sink = exchange.state.withLock { $0.handler }?.bodySink(for: caller)
            exchange.state.withLock { $0.sink = sink }
            exchange.set(.reading(caller))
        case .reject(let response):
            // A short body is read and discarded, because a client that is still sending would miss the response.
            let length = exchange.state.withLock { $0.head?.contentLength ?? 0 }
            guard length <= Self.longestDiscarded else {
                return send(response, of: exchange, on: connection, closes: true)
            }
            exchange.set(.discarding(response))
        }
        return .YES
    }

    private static let longestDiscarded = 1 << 20

    /// Appends a piece of the body; `false` closes the connection.
    func append(_ piece: UnsafeRawBufferPointer, to exchange: Exchange, on connection: ConnectionHandle) -> Bool {
        let (limit, received, isReading, sink) = exchange.state.withLock { state in
            state.bodyBytes += piece.count
            let isReading = if case .reading = state.phase { true } else { false }
            return (state.handler?.bodyLimit ?? limits.bodyBytes, state.bodyBytes, isReading, state.sink)
        }
        connections.received(received, on: connection.key)
        switch (isReading, sink) {
        case (false, _): break
        case (true, let sink) where received > limit:
            discard(exchange, with: bodyTooLarge(limit))
            sink?.abandon()
        case (true, let sink?):
            if let response = unsafe sink.append(piece) { discard(exchange, with: response) }
        case (true, nil):
            exchange.state.withLock { state in
                if state.body.isEmpty, let length = state.head?.contentLength {
                    state.body.reserveCapacity(min(length, 64 << 10))
                }
                unsafe state.body.append(contentsOf: piece)
            }
        }
        return received <= min(4 * limit, limit + Self.longestExcess)
    }

    /// Reads the rest of the body without keeping it, before `response` is sent.
    private func discard(_ exchange: Exchange, with response: HTTPResponse) {
        exchange.state.withLock { state in
            state.body = []
            state.sink = nil
            state.phase = .discarding(response)
        }
    }

    private static let longestExcess = 64 << 20

    /// Creates the response to a request whose body was read completely.
    func respond(to exchange: Exchange, from caller: Caller, on connection: ConnectionHandle) -> MHD_Result {
        let call: (handler: any RequestHandler, request: HTTPRequest)? = exchange.state.withLock { state in
            state.phase = .responding
            guard let head = state.head, let handler = state.handler else { return nil }
            // The handler has the sink.
            state.sink = nil
            defer { state.body = [] }
            return (handler, HTTPRequest(head: head, caller: caller, body: state.body))
        }
        guard let call else { return .NO }
        connections.set(.responding, of: connection.key, at: time.now())
        connection.suspend()
        // Unstructured because the library's polling thread has no task. Ends by resuming the connection.
        Task {
            exchange.set(.ready(await call.handler.response(to: call.request)))
            connection.resume()
        }
        return .YES
    }

    /// Queues the response.
    func send(
        _ response: HTTPResponse, of exchange: Exchange, on connection: ConnectionHandle, closes: Bool = false
    ) -> MHD_Result {
        let isStream = if case .stream = response.body { true } else { false }
        connections.set(isStream ? .streaming : .sending, of: connection.key, at: time.now())
        exchange.state.withLock { state in
            state.phase = .sent
            state.status = response.status
        }
        return connection.queue(response, status: response.status, closes: closes || isStopping) ? .YES : .NO
    }

    /// Reports a request that ended, successfully or not.
    func ended(_ exchange: Exchange, on connection: UInt) {
        let now = time.now()
        connections.set(.idle, of: connection, at: now)
        let state = exchange.state.withLock { state in
            defer { state.sink = nil }
            return state
        }
        state.sink?.abandon()
        observer.observe(
            ObservedRequest(
                number: exchange.number, operation: state.handler?.operation ?? "unreadable", status: state.status,
                startedAt: state.startedAt,
                endedAt: now, bodyBytes: state.bodyBytes, remoteAddress: state.head?.remoteAddress ?? ""))
    }
}

import CHealthSyncMicroHTTPD
import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// How a request goes from its head to its answer.
extension DaemonContext {
    /// The head was read.
    func begin(_ exchange: Exchange, head: RequestHead, on connection: ConnectionHandle) -> MHD_Result {
        var head = head
        head.remoteAddress = clientAddress(
            peer: head.remoteAddress, forwarded: head.values("x-forwarded-for").last)
        exchange.state.withLock { $0.head = head }
        if let objection = FramingGuard.objection(to: head) {
            return send(.problem(400, objection), of: exchange, on: connection, closes: true)
        }
        if isStopping {
            let response = HTTPResponse.problem(
                503, "the server is stopping", headers: [.init("Retry-After", "5")])
            return send(response, of: exchange, on: connection, closes: true)
        }
        if let refusal = overuse(by: head, over: connection.key) {
            return goOn(exchange, with: .refuse(refusal), on: connection)
        }
        if let length = head.contentLength, length > limits.bodyBytes {
            let response = HTTPResponse.problem(413, "at most \(limits.bodyBytes) bytes a body")
            return send(response, of: exchange, on: connection, closes: true)
        }
        if let admission = responder.quickAdmission(of: head) {
            return goOn(exchange, with: admission, on: connection)
        }
        exchange.set(.deciding)
        connections.set(.answering, of: connection.key, at: time.now())
        connection.suspend()
        // Not structured: the library's thread asks, and has no task that could wait. Ends with the connection's resumption.
        Task {
            exchange.set(.decided(await responder.admission(of: head)))
            connection.resume()
        }
        return .YES
    }

    /// Whether the body is read is known.
    func goOn(_ exchange: Exchange, with admission: Admission, on connection: ConnectionHandle) -> MHD_Result {
        connections.set(.body, of: connection.key, at: time.now())
        switch admission {
        case .accept(let caller):
            exchange.set(.reading(caller))
        case .refuse(let response):
            // A short body is read and thrown away, so that the client, busy sending, does not miss the answer.
            let length = exchange.state.withLock { $0.head?.contentLength ?? 0 }
            guard length <= Self.longestDiscarded else {
                return send(response, of: exchange, on: connection, closes: true)
            }
            exchange.set(.discarding(response))
        }
        return .YES
    }

    private static let longestDiscarded = 1 << 20

    /// A piece of the body was read; `false` cuts the connection.
    func take(_ piece: UnsafeRawBufferPointer, into exchange: Exchange) -> Bool {
        exchange.state.withLock { state in
            state.bodyBytes += piece.count
            switch state.phase {
            case .reading where state.bodyBytes <= limits.bodyBytes:
                if state.body.isEmpty, let length = state.head?.contentLength {
                    state.body.reserveCapacity(min(length, 64 << 10))
                }
                unsafe state.body.append(contentsOf: piece)
            case .reading:
                state.body = []
                state.phase = .discarding(.problem(413, "at most \(limits.bodyBytes) bytes a body"))
            default: break
            }
            return state.bodyBytes <= 4 * limits.bodyBytes
        }
    }

    /// The body was read to its end.
    func answer(_ exchange: Exchange, of caller: Caller, on connection: ConnectionHandle) -> MHD_Result {
        let request: HTTPRequest? = exchange.state.withLock { state in
            state.phase = .answering
            guard let head = state.head else { return nil }
            defer { state.body = [] }
            return HTTPRequest(head: head, caller: caller, body: state.body, receivedAt: state.startedAt)
        }
        guard let request else { return .NO }
        connections.set(.answering, of: connection.key, at: time.now())
        connection.suspend()
        // Not structured: the library's thread asks, and has no task that could wait. Ends with the connection's resumption.
        Task {
            exchange.set(.answered(await responder.answer(to: request)))
            connection.resume()
        }
        return .YES
    }

    /// Hands the answer over.
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

    /// The request ended, well or not.
    func ended(_ exchange: Exchange, on connection: UInt) {
        let now = time.now()
        connections.set(.idle, of: connection, at: now)
        let (head, status, startedAt, bytes) = exchange.state.withLock {
            ($0.head, $0.status, $0.startedAt, $0.bodyBytes)
        }
        observer.note(
            ObservedRequest(
                operation: head.map(responder.operationName) ?? "unreadable", status: status, startedAt: startedAt,
                endedAt: now, bodyBytes: bytes, remoteAddress: head?.remoteAddress ?? ""))
    }
}

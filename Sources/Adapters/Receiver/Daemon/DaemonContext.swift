import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// The state that the connections of a server share.
final class DaemonContext: Sendable {
    private let router: any RequestRouter
    let limits: ServerLimits
    let time: any TimeSource
    /// Measures durations, which do not change when the time of day is set.
    let clock: any TimeSource
    let connections: ConnectionTable
    private let rate: RequestRate
    private let observer: any RequestObserver
    /// The proxies that state the client's address in `X-Forwarded-For`.
    private let trustedProxies: [AddressRange]
    /// Whether clients must have a private, link-local or loopback address.
    private let acceptsOnlyPrivateAddresses: Bool
    private let isStoppingFlag = Atomic(false)
    private let requests = Atomic(0)
    private let bodyMemory = Atomic(0)

    init(
        router: any RequestRouter, limits: ServerLimits, time: any TimeSource, clock: any TimeSource,
        observer: any RequestObserver, trustedProxies: [AddressRange], acceptsOnlyPrivateAddresses: Bool
    ) {
        self.router = router
        self.limits = limits
        self.time = time
        self.clock = clock
        self.observer = observer
        self.trustedProxies = trustedProxies
        self.acceptsOnlyPrivateAddresses = acceptsOnlyPrivateAddresses
        connections = ConnectionTable(limits: limits)
        rate = RequestRate(limits.requestsPerMinute)
    }

    var isStopping: Bool { isStoppingFlag.load(ordering: .acquiring) }
    func beginStopping() { isStoppingFlag.store(true, ordering: .releasing) }

    /// Returns the number of a new request.
    func nextRequest() -> Int { requests.add(1, ordering: .relaxed).newValue }

    /// Counts `bytes` of a body, negative when they are no longer needed. Returns whether all bodies together are within
    /// the limit.
    private func holds(_ bytes: Int) -> Bool { bodyMemory.add(bytes, ordering: .relaxed).newValue <= limits.bodyMemory }

    /// Counts a request. Returns the response to a client that exceeds a limit on requests, or `nil`.
    private func limitError(for head: RequestHead, over connection: UInt) -> HTTPResponse? {
        if let seconds = rate.secondsToWait(head.remoteNetwork, at: clock.now()) {
            return .problem(
                429, "too many requests from this address", headers: [.init("Retry-After", String(seconds))])
        }
        guard !trustedProxies.isEmpty, !connections.accepts(head.remoteAddress, over: connection) else { return nil }
        return .problem(
            429, "too many concurrent requests from this address", headers: [.init("Retry-After", "1")])
    }

    /// Returns the client's address. If the proxy does not state one, it is that of the proxy, unless clients must have
    /// a private address: then the client may have any.
    ///
    /// - Parameter forwarded: the last header `X-Forwarded-For`.
    func clientAddress(peer: ClientAddress, forwarded: String?) -> String {
        let client = ClientAddress(peer: peer, forwarded: forwarded, trusting: trustedProxies)
        return client?.text ?? (acceptsOnlyPrivateAddresses ? "unknown" : peer.text)
    }
}

/// What a connection does next with its request.
enum FlowStep {
    /// Read the body.
    case read
    /// Wait until a task resumes the connection.
    case wait
    /// Send the response and, if `closes`, close the connection.
    case respond(HTTPResponse, closes: Bool)
}

/// The steps of a request from its head to its response.
extension DaemonContext {
    /// Handles a request whose head was read: finds its handler and decides whether to read the body.
    func begin(_ exchange: Exchange, head: RequestHead, on connection: ConnectionHandle) -> FlowStep {
        let handler = router.handler(for: head)
        exchange.state.withLock { state in
            state.head = head
            state.handler = handler
        }
        if let error = FramingCheck.error(in: head) {
            return .respond(.problem(400, error), closes: true)
        }
        if acceptsOnlyPrivateAddresses, !PrivateNetwork.contains(head.remoteAddress) {
            return .respond(.problem(403, "this server accepts only private addresses"), closes: true)
        }
        if isStopping {
            let response = HTTPResponse.problem(
                503, "the server is stopping", headers: [.init("Retry-After", "5")])
            return .respond(response, closes: true)
        }
        if let response = limitError(for: head, over: connection.key) {
            return proceed(exchange, with: .reject(response), on: connection)
        }
        let limit = handler.bodyLimit ?? limits.bodyBytes
        if let length = head.contentLength, length > limit {
            return .respond(bodyTooLarge(limit), closes: true)
        }
        if let admission = handler.quickAdmission() { return proceed(exchange, with: admission, on: connection) }
        exchange.set(.deciding)
        connections.set(.deciding, of: connection.key, at: clock.now())
        // Unstructured because the server's thread has no task. Ends by resuming the connection.
        Task {
            exchange.set(.decided(await handler.admission()))
            connection.resume()
        }
        return .wait
    }

    /// Continues a request whose task has finished its work.
    func resumed(_ exchange: Exchange, on connection: ConnectionHandle) -> FlowStep {
        switch exchange.state.withLock({ $0.phase }) {
        case .decided(let admission): proceed(exchange, with: admission, on: connection)
        // A wait was ended because another client needs the connection.
        case .ready(let response): .respond(response, closes: connections.isEnding(connection.key))
        default: .wait
        }
    }

    private func bodyTooLarge(_ limit: Int) -> HTTPResponse { .problem(413, "a body has at most \(limit) bytes") }

    /// Begins to read the body of an accepted request, or to reject the request.
    private func proceed(
        _ exchange: Exchange, with admission: Admission, on connection: ConnectionHandle
    ) -> FlowStep {
        switch admission {
        case .accept(let caller) where !connections.accepts(caller.party, over: connection.key):
            let response = HTTPResponse.problem(
                429, "too many concurrent requests of this user", headers: [.init("Retry-After", "1")])
            return proceed(exchange, with: .reject(response), on: connection)
        case .accept(let caller):
            connections.set(.body, of: connection.key, at: clock.now())
            let sink = exchange.state.withLock { $0.handler }?.bodySink(for: caller)
            exchange.state.withLock { $0.sink = sink }
            exchange.set(.reading(caller))
        case .reject(let response):
            // A short body is read and discarded, so that the connection can be used again.
            let head = exchange.state.withLock { $0.head }
            guard head?.contentLength ?? 0 <= Self.longestDiscarded, head?.expectsContinue != true else {
                return .respond(response, closes: true)
            }
            connections.set(.discarding, of: connection.key, at: clock.now())
            exchange.set(.discarding(response))
        }
        return .read
    }

    private static let longestDiscarded = 1 << 20

    /// Appends a piece of the body. Returns the response if the rest of the body is not worth reading.
    func append(_ piece: UnsafeRawBufferPointer, to exchange: Exchange, on connection: ConnectionHandle) -> FlowStep? {
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
            let isWithinLimit = holds(piece.count)
            exchange.state.withLock { $0.heldBytes += piece.count }
            guard isWithinLimit || received <= Self.alwaysAccepted else {
                discard(exchange, with: tooManyBodies)
                return nil
            }
            exchange.state.withLock { state in
                if state.body.isEmpty, let length = state.head?.contentLength {
                    state.body.reserveCapacity(min(length, 64 << 10))
                }
                unsafe state.body.append(contentsOf: piece)
            }
        }
        guard case .discarding(let response) = exchange.state.withLock({ $0.phase }) else { return nil }
        let longest = isReading ? received : max(limit, Self.longestDiscarded) + Self.longestDiscarded
        return received <= longest ? nil : .respond(response, closes: true)
    }

    /// Bodies up to this size are read even if others use all the memory that is allowed.
    private static let alwaysAccepted = 64 << 10

    private var tooManyBodies: HTTPResponse {
        .problem(503, "too many long requests at once", headers: [.init("Retry-After", "1")])
    }

    /// Reads the rest of the body without keeping it, before `response` is sent.
    private func discard(_ exchange: Exchange, with response: HTTPResponse) {
        let released = exchange.state.withLock { state in
            defer { state.heldBytes = 0 }
            state.body = []
            state.sink = nil
            state.phase = .discarding(response)
            return state.heldBytes
        }
        _ = holds(-released)
    }

    /// Continues a request whose body was read completely.
    func complete(_ exchange: Exchange, on connection: ConnectionHandle) -> FlowStep {
        let call: (handler: any RequestHandler, request: HTTPRequest)? = exchange.state.withLock { state in
            guard case .reading(let caller) = state.phase, let head = state.head, let handler = state.handler else {
                return nil
            }
            state.phase = .responding
            // The handler has the sink.
            state.sink = nil
            defer { state.body = [] }
            let wait = ResponseWait { [connections, clock, key = connection.key] isWaiting in
                connections.set(isWaiting: isWaiting, of: key, at: clock.now())
            }
            state.wait = wait
            return (handler, HTTPRequest(head: head, caller: caller, body: state.body, wait: wait))
        }
        guard let call else {
            guard case .discarding(let response) = exchange.state.withLock({ $0.phase }) else { return .wait }
            return .respond(response, closes: false)
        }
        connections.set(call.handler.checksSecret ? .deciding : .responding, of: connection.key, at: clock.now())
        // Unstructured because the server's thread has no task. Ends by resuming the connection.
        Task {
            exchange.set(.ready(await call.handler.response(to: call.request)))
            connection.resume()
        }
        return .wait
    }

    /// Notes that `response` is being sent.
    func sends(_ response: HTTPResponse, of exchange: Exchange, on connection: ConnectionHandle) {
        connections.set(.sending, of: connection.key, at: clock.now())
        exchange.state.withLock { state in
            state.phase = .sent
            state.status = response.status
        }
    }

    /// Reports a request that ended, successfully or not.
    func ended(_ exchange: Exchange, on connection: UInt) {
        let now = time.now()
        connections.set(.idle, of: connection, at: clock.now())
        let state = exchange.state.withLock { state in
            defer { state.sink = nil }
            return state
        }
        state.sink?.abandon()
        _ = holds(-state.heldBytes)
        observer.observe(
            ObservedRequest(
                number: exchange.number, operation: state.handler?.operation ?? "unreadable", status: state.status,
                startedAt: state.startedAt,
                endedAt: now, bodyBytes: state.bodyBytes, remoteAddress: state.head?.remoteAddress ?? ""))
    }
}

extension Caller {
    /// Who makes the request, as far as connections are shared out.
    fileprivate var party: ConnectionTable.Party {
        if hasOpenAccess { return .everyone }
        return scopes.isEmpty ? .anyone : .user(user)
    }
}

/// Limits the requests a minute from each address. After an idle minute, all requests of a minute may come at once.
private final class RequestRate: Sendable {
    private let limit: ServerLimits.PerAddress
    // For each address, the time in microseconds until which its requests use up the limit. Time that has passed is
    // free again.
    private let usedUntil = Mutex<[String: Int64]>([:])

    private static let minute: Int64 = 60_000_000
    private static let largestTable = 10_000

    init(_ limit: ServerLimits.PerAddress) { self.limit = limit }

    /// Counts a request from `address`, the key of a client. If it exceeds the limit, it is not counted, and the result is the number of
    /// seconds after which the client may try again.
    func secondsToWait(_ address: String, at instant: Instant) -> Int64? {
        guard limit.applies(to: address) else { return nil }
        let now = instant.milliseconds * 1_000
        let share = Self.minute / Int64(max(1, limit.count))
        return usedUntil.withLock { usedUntil in
            if usedUntil.count >= Self.largestTable, usedUntil[address] == nil {
                usedUntil = usedUntil.filter { $0.value > now }
                // Still full: an attack from many addresses. Start over with an empty table.
                if usedUntil.count >= Self.largestTable { usedUntil.removeAll() }
            }
            let used = max(usedUntil[address] ?? now, now) + share
            let excess = used - now - Self.minute
            guard excess <= 0 else { return (excess + 999_999) / 1_000_000 }
            usedUntil[address] = used
            return nil
        }
    }
}

/// One request and its response. The server's thread handles it after its head, for each piece of its body, and at its end.
/// In between, the connection waits while a task decides or creates the response.
final class Exchange: Sendable {
    /// The progress of a request.
    enum Phase {
        /// The head is being read.
        case head
        /// A task decides whether to accept the request.
        case deciding
        /// A task has decided.
        case decided(Admission)
        /// The body is being read.
        case reading(Caller)
        /// The body is being read and discarded; this response follows.
        case discarding(HTTPResponse)
        /// A task creates the response.
        case responding
        /// The response is ready.
        case ready(HTTPResponse)
        /// The response is being sent.
        case sent
    }

    struct State {
        var phase = Phase.head
        var head: RequestHead?
        var handler: (any RequestHandler)?
        var body: [UInt8] = []
        /// The wait of the response while a task creates it; `nil` before.
        var wait: ResponseWait?
        /// Receives the body instead of `body`.
        var sink: (any BodySink)?
        var bodyBytes = 0
        /// The bytes of the body that count as held in memory until the request ends.
        var heldBytes = 0
        var startedAt: Instant
        /// 0 until a response is sent.
        var status = 0
    }

    /// The number of the request since the server started.
    let number: Int
    let state: Mutex<State>

    init(number: Int, startedAt: Instant) {
        self.number = number
        state = Mutex(State(startedAt: startedAt))
    }

    func set(_ phase: Phase) { state.withLock { $0.phase = phase } }

    /// Ends the wait of the response; does nothing without one.
    func endWait() { state.withLock { $0.wait }?.end() }
}

import HealthSyncDomain
import HealthSyncPorts

/// One request, as given to libcurl.
struct CurlRequest: Sendable {
    var method: String
    var address: String
    /// Header fields of the form `Name: value`.
    var fields: [String]
    /// The request has no body if this is empty.
    var body: [UInt8] = []
}

/// Receives the body of a successful response.
protocol CurlReceiver: Sendable {
    /// Receives the next piece; returning false ends the transfer.
    func receive(_ piece: UnsafeRawBufferPointer) -> Bool
}

/// Exchanges requests for responses. The only implementation of the program is `CurlPool`; tests have a network of their
/// own.
protocol RequestExchange: Sendable {
    /// Returns the outcome of `request`. The body of a successful response goes to `receive`, if that is given.
    func perform(
        _ request: CurlRequest, limits: CurlLimits, receive: (any CurlReceiver)?
    ) async -> CurlOutcome
}

extension RequestExchange {
    /// Returns the outcome of `request`, including the body.
    func perform(_ request: CurlRequest, limits: CurlLimits) async -> CurlOutcome {
        await perform(request, limits: limits, receive: nil)
    }
}

/// The limits of one request.
struct CurlLimits: Sendable {
    var connectMilliseconds: Int
    var totalMilliseconds: Int
    /// A transfer slower than `slowestBytesPerSecond` for this long is ended.
    var stallSeconds: Int
    var slowestBytesPerSecond = 1
    /// The largest body of a response in bytes; the rest is not read.
    var answerBytes = 4 << 20
    /// A PEM file of certificate authorities that are trusted instead of the system's; `nil` for the system's.
    var authorityFile: String?
}

/// The outcome of a request.
enum CurlOutcome: Sendable {
    /// The server responded; `body` is `nil` if it was truncated or longer than the limit.
    case answer(status: Int, retryAfter: String?, body: [UInt8]?)
    /// There was no response.
    case failure(TransportFailure)
}

/// One slot for each request in flight.
struct CurlPool: RequestExchange {
    private let slots: LendingPool<CurlSlot>

    init(slots: Int) { self.slots = LendingPool((0..<max(1, slots)).map { CurlSlot(number: $0) }) }

    func perform(
        _ request: CurlRequest, limits: CurlLimits, receive: (any CurlReceiver)?
    ) async -> CurlOutcome {
        await slots.lend { await $0.perform(request, limits: limits, receive: receive) }
    }
}

/// A thread and a connection, for one request at a time.
private actor CurlSlot {
    private nonisolated let executor: BlockingQueueExecutor
    private var handle: CurlHandle?

    init(number: Int) { executor = BlockingQueueExecutor(label: "healthsync.outbox.\(number)") }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Sends the request and waits for the response. Cancellation has no effect: the outcome of a request that was
    /// sent is needed, and the limits end it soon enough.
    func perform(
        _ request: CurlRequest, limits: CurlLimits, receive: (any CurlReceiver)? = nil
    ) -> CurlOutcome {
        if handle == nil { handle = CurlHandle() }
        guard let handle else { return .failure(.network(reason: "out of memory")) }
        return handle.perform(request, limits: limits, receive: receive)
    }
}

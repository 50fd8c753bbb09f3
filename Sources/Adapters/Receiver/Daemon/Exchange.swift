import HealthSyncDomain
import Synchronization

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

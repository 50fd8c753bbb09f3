import HealthSyncDomain
import Synchronization

/// One request and its response, as they pass through the daemon's callbacks.
///
/// libmicrohttpd calls `handleRequest` several times for a request: after its head, for each piece of its body, and at
/// the end. Between calls the connection is suspended while a task decides or creates the response.
final class Exchange: Sendable {
    /// The progress of a request.
    enum Phase {
        /// The request line was read.
        case head
        /// A task decides whether to accept the request.
        case deciding
        /// A task has decided; the next call is the same as the first one after the head.
        case decided(Admission)
        /// The body is being read.
        case reading(Caller)
        /// The body is being read and discarded; this response follows.
        case discarding(HTTPResponse)
        /// A task creates the response.
        case responding
        /// The response is ready.
        case ready(HTTPResponse)
        /// The response was queued.
        case sent
    }

    struct State {
        var phase = Phase.head
        var head: RequestHead?
        var handler: (any RequestHandler)?
        var body: [UInt8] = []
        /// Receives the body instead of `body`.
        var sink: (any BodySink)?
        var bodyBytes = 0
        var startedAt: Instant
        /// 0 until a response is queued.
        var status = 0
    }

    /// The number of the request since the server started.
    let number: Int
    let target: String
    let state: Mutex<State>

    init(number: Int, target: String, startedAt: Instant) {
        self.number = number
        self.target = target
        state = Mutex(State(startedAt: startedAt))
    }

    func set(_ phase: Phase) { state.withLock { $0.phase = phase } }
}

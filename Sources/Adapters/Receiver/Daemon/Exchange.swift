import HealthSyncDomain
import Synchronization

/// One request and its answer, on their way through the daemon's callbacks.
///
/// The daemon calls again and again: once after the head, once for each piece of the body, once at its end. Between
/// calls the connection is suspended while a task decides or answers.
final class Exchange: Sendable {
    /// How far it has come.
    enum Phase {
        /// The request line was read.
        case head
        /// A task decides whether the body is read.
        case deciding
        /// A task has decided; the daemon calls once more as if only the head were read.
        case decided(Admission)
        /// The body is being read.
        case reading(Caller)
        /// The body is being read and thrown away; this is the answer then.
        case discarding(HTTPResponse)
        /// A task answers.
        case answering
        /// The answer is there.
        case answered(HTTPResponse)
        /// The answer was handed over.
        case sent
    }

    struct State {
        var phase = Phase.head
        var head: RequestHead?
        var body: [UInt8] = []
        var bodyBytes = 0
        var startedAt: Instant
        var status = 0
    }

    let target: String
    let state: Mutex<State>

    init(target: String, startedAt: Instant) {
        self.target = target
        state = Mutex(State(startedAt: startedAt))
    }

    func set(_ phase: Phase) { state.withLock { $0.phase = phase } }
}

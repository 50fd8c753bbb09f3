/// How a run ended.
package enum RunEnding: String, Sendable, CaseIterable {
    /// Everything requested was done.
    case completed
    /// The run finished, but a metric, a source or the delivery failed.
    case completedWithFailures
    /// Everything was done but the delivery, which the user paused: not a failure.
    case held
    /// A failure ended the run.
    case failed
    /// The user stopped the run.
    case cancelled
    /// The process ended without recording the end: it was killed, or the machine went down.
    case cutOff

    /// The ending as displayed.
    package var text: String {
        switch self {
        case .completed: "completed"
        case .completedWithFailures: "completed with failures"
        case .held: "held by your pause"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .cutOff: "cut off"
        }
    }
}

/// How a run ended.
package enum RunEnding: String, Sendable, CaseIterable {
    /// It did all that it was asked for.
    case completed
    /// It came to its end; a metric, a source or the delivery did not.
    case completedWithFailures
    /// A failure ended it.
    case failed
    /// The user stopped it.
    case cancelled
    /// Its process ended without a word: killed, or the machine went down.
    case cutOff

    /// The same as a person reads it.
    package var text: String {
        switch self {
        case .completed: "completed"
        case .completedWithFailures: "completed with failures"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .cutOff: "cut off"
        }
    }
}

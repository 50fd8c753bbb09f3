/// The severity of an event, the least severe first.
public enum LogLevel: String, Sendable, Hashable, CaseIterable, Comparable {
    /// A detail of a step.
    case debug
    /// What a run does and why.
    case info
    /// A problem that the program can deal with, for example by trying again later.
    case warning
    /// A failure.
    case error

    /// Returns whether `left` is less severe than `right`.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.order < right.order }

    private var order: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}

/// The log of a run. It never contains health values or tokens.
///
/// Contract: may be called from any thread; events of one thread keep their order. It never fails: events that cannot
/// be written are dropped, so that a run never fails because of its log.
public protocol EventLog: Sendable {
    /// Logs one event of the severity `level`.
    func note(_ event: String, level: LogLevel)
}

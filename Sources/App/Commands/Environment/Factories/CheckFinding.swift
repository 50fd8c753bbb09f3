/// The result of one check of `doctor`.
package struct CheckFinding: Sendable, Hashable {
    /// The severity.
    package enum Level: String, Sendable, Comparable {
        case ok
        case warning
        case error

        package static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .ok: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    package var level: Level
    /// What was checked, such as `time zone`.
    package var subject: String
    /// What was found.
    package var finding: String
    /// What to do; empty if there is nothing to do.
    package var advice: String

    package init(_ level: Level, _ subject: String, _ finding: String, advice: String = "") {
        self.level = level
        self.subject = subject
        self.finding = finding
        self.advice = advice
    }
}

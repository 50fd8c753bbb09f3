/// The result of the last verification of a server, as it is remembered.
package struct Verification: Hashable, Sendable {
    /// What it found.
    package enum Verdict: String, Hashable, Sendable {
        /// The server holds exactly what the local database holds.
        case equal
        /// It does not.
        case different
        /// The server cannot answer for everything, such as an older version.
        case unverifiable
        /// The server did not answer to the end.
        case unreachable
    }

    package var at: Instant
    package var verdict: Verdict
    /// Derived records that were compared, hours counted each.
    package var records = 0
    /// Raw samples that were compared.
    package var samples = 0
    /// Records and samples that differ.
    package var differing = 0
    /// Why it could not be verified; empty otherwise.
    package var reason = ""

    package init(at: Instant, verdict: Verdict) {
        self.at = at
        self.verdict = verdict
    }

    /// Everything that was compared.
    package var compared: Int { records + samples }
}

/// What is known of a server from its last verification.
package struct VerificationState: Hashable, Sendable {
    /// `nil` where it was never verified.
    package var last: Verification?
    /// Whether records or samples changed, or were sent, since.
    package var hasChangedSince: Bool

    package init(last: Verification?, hasChangedSince: Bool) {
        self.last = last
        self.hasChangedSince = hasChangedSince
    }

    /// The state in words: what precedes and what follows the time of the verification.
    package func words(number: (Int) -> String) -> (before: String, after: String) {
        guard let last else { return ("never verified", "") }
        let changed = hasChangedSince ? "; records changed since" : ""
        func things(_ count: Int, _ one: String, _ many: String) -> String {
            "\(number(count)) \(count == 1 ? one : many)"
        }
        return switch last.verdict {
        case .equal: ("all \(things(last.compared, "record", "records")) verified", changed)
        case .different: ("\(things(last.differing, "record differs", "records differ")), verified", changed)
        case .unverifiable: ("not verified", ": \(last.reason)")
        case .unreachable: ("not verified", ": the server did not answer (\(last.reason))")
        }
    }
}

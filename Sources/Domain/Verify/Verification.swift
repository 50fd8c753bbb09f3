/// The stored result of the last verification of a server.
package struct Verification: Hashable, Sendable {
    /// The result of a verification.
    package enum Verdict: String, Hashable, Sendable {
        /// The server has exactly what the local store has.
        case equal
        /// The server and the local store differ.
        case different
        /// The server cannot return digests of everything, for example because its version is older.
        case unverifiable
        /// The server did not answer all requests.
        case unreachable
    }

    package var at: Instant
    package var verdict: Verdict
    /// Derived records compared; a day counts once, with its hours.
    package var records = 0
    /// Raw samples compared.
    package var samples = 0
    /// Records and samples that differ.
    package var differing = 0
    /// The reason why verification failed; otherwise empty.
    package var reason = ""

    package init(at: Instant, verdict: Verdict) {
        self.at = at
        self.verdict = verdict
    }

    /// Returns what was compared, such as "42,320 records and 237,248 samples".
    package static func compared(records: Int, samples: Int, number: (Int) -> String) -> String {
        let ofRecords = CountText.of(records, "record", number: number)
        return samples == 0 ? ofRecords : "\(ofRecords) and \(CountText.of(samples, "sample", number: number))"
    }
}

/// The verification state of a server.
package struct VerificationState: Hashable, Sendable {
    /// `nil` if the server was never verified.
    package var last: Verification?
    /// Whether records or samples changed or were sent since then.
    package var hasChangedSince: Bool

    package init(last: Verification?, hasChangedSince: Bool) {
        self.last = last
        self.hasChangedSince = hasChangedSince
    }

    /// Returns the state in words: the text before and after the time of the verification.
    package func words(number: (Int) -> String) -> (before: String, after: String) {
        guard let last else { return ("never verified", "") }
        let changed = hasChangedSince ? "; records changed since" : ""
        let compared = Verification.compared(records: last.records, samples: last.samples, number: number)
        return switch last.verdict {
        case .equal: ("all \(compared) verified", changed)
        case .different: ("\(CountText.of(last.differing, "difference", number: number)), verified", changed)
        case .unverifiable: ("not verified", ": \(last.reason)")
        case .unreachable: ("not verified", ": the server did not answer (\(last.reason))")
        }
    }
}

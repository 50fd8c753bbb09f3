/// The most recent runs.
package struct RunHistory: Sendable, Hashable {
    /// The latest first. A run without an end is active.
    package var runs: [RecordedRun]
    /// The progress of the active run; `nil` until it reports any.
    package var progress: RunProgress?

    package init(runs: [RecordedRun], progress: RunProgress? = nil) {
        self.runs = runs
        self.progress = progress
    }

    /// The active run.
    package var current: RecordedRun? { runs.first { $0.end == nil } }
    /// The finished runs, the latest first.
    package var over: [RecordedRun] { runs.filter { $0.end != nil } }

    /// Returns why the last delivery could not send everything to `destination`, such as "Couldn't connect to server";
    /// `nil` if it sent everything or its failure has no cause.
    package func trouble(with destination: String) -> String? {
        let delivery = over.first { $0.end?.account.delivery != nil }
        let failure = delivery?.end?.allFailures.first { $0.subject == destination }
        return failure.flatMap { DeliveryCause.cause(in: $0.reason) }
    }
}

/// Why the attempts of a delivery failed. A run stores its failure as text, which begins with the cause:
/// `Couldn't connect to server; 3 items wait, …`.
package enum DeliveryCause {
    private static let end = "; "

    /// Returns `statement` with its cause before it. A statement that is stored this way contains no semicolon.
    package static func reason(_ cause: String?, _ statement: String) -> String {
        cause.map { $0 + end + statement } ?? statement
    }

    /// Returns the cause in a reason; `nil` if it has none.
    package static func cause(in reason: String) -> String? {
        guard let mark = reason.lastIndex(of: ";"), reason[mark...].hasPrefix(end) else { return nil }
        return String(reason[..<mark])
    }
}

/// The end of a run.
package struct RunEnd: Sendable, Hashable {
    /// The time of the end; `nil` for a run that was interrupted without recording its end.
    package var at: Instant?
    package var ending: RunEnding
    package var account: RunTotals
    /// Failures other than those of metrics.
    package var failures: [SyncFailure]

    package init(at: Instant?, ending: RunEnding, account: RunTotals = RunTotals(), failures: [SyncFailure] = []) {
        self.at = at
        self.ending = ending
        self.account = account
        self.failures = failures
    }

    /// The end of a run whose process ended without recording it.
    package static let cutOff = RunEnd(at: nil, ending: .cutOff)

    /// All failures: first those of the metrics by name, then the others.
    package var allFailures: [SyncFailure] { SyncReport(outcomes: account.metrics).failures.map(\.failure) + failures }
}

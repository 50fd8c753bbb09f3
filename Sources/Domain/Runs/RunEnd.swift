/// The end of a run.
package struct RunEnd: Sendable, Hashable {
    /// When; `nil` for a run that was cut off.
    package var at: Instant?
    package var ending: RunEnding
    package var account: RunAccount
    /// What went wrong beside what the metrics tell of themselves.
    package var failures: [SyncFailure]

    package init(at: Instant?, ending: RunEnding, account: RunAccount = RunAccount(), failures: [SyncFailure] = []) {
        self.at = at
        self.ending = ending
        self.account = account
        self.failures = failures
    }

    /// The end of a run that was cut off.
    package static let cutOff = RunEnd(at: nil, ending: .cutOff)

    /// All that went wrong, that of the metrics first and by their names.
    package var allFailures: [SyncFailure] { SyncReport(outcomes: account.metrics).failures.map(\.failure) + failures }
}

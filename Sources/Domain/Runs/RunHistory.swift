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
}

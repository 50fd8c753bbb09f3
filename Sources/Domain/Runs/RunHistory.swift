/// The last runs.
package struct RunHistory: Sendable, Hashable {
    /// The latest first. One without an end is at work.
    package var runs: [RecordedRun]
    /// How far the run at work has come; `nil` until it says so.
    package var progress: RunProgress?

    package init(runs: [RecordedRun], progress: RunProgress? = nil) {
        self.runs = runs
        self.progress = progress
    }

    /// The run that is at work.
    package var atWork: RecordedRun? { runs.first { $0.end == nil } }
    /// Those that are over, the latest first.
    package var over: [RecordedRun] { runs.filter { $0.end != nil } }
}

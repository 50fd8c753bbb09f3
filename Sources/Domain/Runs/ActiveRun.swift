/// A run that another process is executing.
package struct ActiveRun: Sendable, Hashable {
    /// When the run locked the data folder.
    package var since: Instant
    /// The progress; `nil` until the run reports any.
    package var progress: RunProgress?

    package init(since: Instant, progress: RunProgress? = nil) {
        self.since = since
        self.progress = progress
    }
}

/// What can be seen of a run from another process.
package struct RunAtWork: Sendable, Hashable {
    /// Since when it holds the data folder.
    package var since: Instant
    /// How far it has come; `nil` until it says so.
    package var progress: RunProgress?

    package init(since: Instant, progress: RunProgress? = nil) {
        self.since = since
        self.progress = progress
    }
}

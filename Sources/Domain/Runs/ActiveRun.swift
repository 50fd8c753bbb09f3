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

/// The most recently reported progress of a run.
package struct RunProgress: Sendable, Hashable, Codable {
    /// A part of the work.
    package struct Phase: Sendable, Hashable, Codable {
        package var name: String
        package var done: Int64
        /// `nil` while unknown.
        package var total: Int64?
        /// Text displayed next to the name; may be empty.
        package var detail: String

        package init(name: String, done: Int64, total: Int64?, detail: String = "") {
            self.name = name
            self.done = done
            self.total = total
            self.detail = detail
        }

        /// Name and detail on one line.
        package var text: String { detail.isEmpty ? name : "\(name), \(detail)" }

        /// The fraction that is done, 0 to 1; `nil` if unknown.
        package var share: Double? {
            guard let total, total > 0 else { return nil }
            return min(1, max(0, Double(done) / Double(total)))
        }
    }

    package var updatedAt: Instant
    /// The active phases, in the order in which they began.
    package var phases: [Phase]

    package init(updatedAt: Instant, phases: [Phase]) {
        self.updatedAt = updatedAt
        self.phases = phases
    }
}

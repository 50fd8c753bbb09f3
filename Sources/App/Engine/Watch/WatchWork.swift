package import HealthSyncDomain

/// What a watch process does; each function opens the database under the run lock and closes it.
package struct WatchWork: Sendable {
    /// Imports waiting posts. Returns `nil` if none waits; otherwise more may wait.
    package var importPosts: @Sendable () async throws -> InboxReport?
    /// Imports the source at a location and derives the days that changed.
    package var importSource: @Sendable (_ location: String) async throws -> RunReport
    /// Imports all sources and derives the days that changed.
    package var daily: @Sendable () async throws -> RunReport
    /// Sends queued records.
    package var deliver: @Sendable () async throws -> WatchDelivery
    /// Deletes old posts from the archive.
    package var prune: @Sendable () async throws -> Void

    package init(
        importPosts: @escaping @Sendable () async throws -> InboxReport?,
        importSource: @escaping @Sendable (String) async throws -> RunReport,
        daily: @escaping @Sendable () async throws -> RunReport,
        deliver: @escaping @Sendable () async throws -> WatchDelivery,
        prune: @escaping @Sendable () async throws -> Void
    ) {
        self.importPosts = importPosts
        self.importSource = importSource
        self.daily = daily
        self.deliver = deliver
        self.prune = prune
    }
}

/// The result of a delivery by a watch process.
package struct WatchDelivery: Sendable, Hashable {
    /// The number of records that were delivered.
    package var delivered: Int
    /// Whether records still wait that another attempt may deliver.
    package var isUnfinished: Bool
    /// Why records still wait; `nil` if the server works.
    package var trouble: String?
    /// When the user paused delivery; `nil` if it is not paused or nothing waits.
    package var heldSince: Instant?

    package init(delivered: Int, isUnfinished: Bool, trouble: String?, heldSince: Instant? = nil) {
        self.heldSince = heldSince
        self.delivered = delivered
        self.isUnfinished = isUnfinished
        self.trouble = trouble
    }
}

/// What a watch process did, for its output. Contains no health values.
package enum WatchEvent: Sendable {
    /// Posts were imported, or could not be decoded.
    case posts(InboxReport)
    /// Sources were imported. `location` is `nil` for a daily run.
    case sources(location: String?, RunReport)
    /// Posts were pulled from a server.
    case pulled(posts: Int, bytes: Int64)
    /// Records were delivered.
    case delivered(Int)
    /// Records wait because the user paused delivery. Reported once for a pause.
    case held(since: Instant)
    /// Something failed and, if it can succeed later, is tried again.
    case failed(SyncFailure)
}

import HealthSyncDomain
package import HealthSyncPorts

/// Pulls the posts that arrive on a server, until its task is cancelled.
///
/// Each request waits on the server until a post arrives, so that a post is here within moments. While the server cannot
/// be reached, the loop tries again after growing pauses.
package struct PullLoop: Sendable {
    private let pull: InboxPull
    private let time: any TimeSource
    private let archived: @Sendable () -> Void
    private let report: @Sendable (WatchEvent) -> Void

    /// How long a request waits on the server, in seconds.
    private static let waitSeconds = 20
    /// The pause if a request brought nothing and did not wait, in milliseconds.
    private static let shortestPause: Int64 = 10_000

    /// - Parameters:
    ///   - archived: called after each post that was archived.
    ///   - report: receives what was pulled, and each failure once.
    package init(
        pull: InboxPull, time: any TimeSource, archived: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (WatchEvent) -> Void
    ) {
        self.pull = pull
        self.time = time
        self.archived = archived
        self.report = report
    }

    /// Pulls until the calling task is cancelled; then throws `CancellationError`.
    package func run() async throws {
        var backoff = Backoff(first: 1_000, longest: 300_000)
        var reported: Set<SyncFailure> = []
        while true {
            try Task.checkCancellation()
            let began = time.now()
            let pulled = try await pull.run(waitSeconds: Self.waitSeconds, archived: archived)
            if pulled.posts > 0 { report(.pulled(posts: pulled.posts, bytes: pulled.bytes)) }
            let failures = Set(pulled.damaged + (pulled.failure.map { [$0] } ?? []))
            for failure in pulled.damaged + (pulled.failure.map { [$0] } ?? []) where !reported.contains(failure) {
                report(.failed(failure))
            }
            reported = failures
            if pulled.failure != nil {
                try await time.wait(milliseconds: backoff.next())
                continue
            }
            backoff.reset()
            let elapsed = time.now().milliseconds - began.milliseconds
            // A server that does not wait, or posts that cannot be archived, must not make this loop spin.
            if pulled.posts == 0, elapsed < Self.shortestPause {
                try await time.wait(milliseconds: Self.shortestPause - elapsed)
            }
        }
    }
}

/// The waiting times between attempts that fail, doubled from attempt to attempt.
struct Backoff: Sendable {
    /// In milliseconds.
    let first: Int64
    /// In milliseconds.
    let longest: Int64
    private var failures = 0

    init(first: Int64, longest: Int64) {
        self.first = first
        self.longest = longest
    }

    /// Counts a failure and returns the time until the next attempt, in milliseconds.
    mutating func next() -> Int64 {
        let wait = min(longest, first << min(failures, 20))
        failures += 1
        return wait
    }

    mutating func reset() { failures = 0 }
}

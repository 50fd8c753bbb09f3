package import HealthSyncDomain
package import HealthSyncPorts

/// Fetches the posts that wait on a server into the local archive, in the order in which they were received.
///
/// A post is archived durably before the server deletes it. After an interruption at any point, the next pull
/// continues: a post that is archived already is only confirmed.
package struct InboxPull: Sendable {
    /// What a pull did.
    package struct Report: Sendable, Hashable {
        /// The number of posts that were archived.
        package var posts = 0
        /// The size of their archived forms, in bytes.
        package var bytes: Int64 = 0
        /// Posts that cannot be archived, because they are damaged. They stay on the server.
        package var damaged: [SyncFailure] = []
        /// Why the pull ended before all posts were fetched; `nil` if it did not.
        package var failure: SyncFailure?

        package init() {}
    }

    private let server: any ServerInbox
    private let archive: any PulledPostArchive

    /// Posts that are confirmed by one request. Few, so that a server that is almost full regains space soon.
    private static let postsPerConfirmation = 20
    private static let bytesPerConfirmation: Int64 = 16 << 20

    /// How much of a list is read, because a server may list posts without end.
    package struct Limits: Sendable {
        /// The posts of one pull; the next pull continues.
        package var posts = 50_000
        /// Consecutive posts that cannot be archived, because they no longer exist or are damaged.
        package var failedPosts = 1_000

        package init() {}
    }

    private let limits: Limits

    package init(server: any ServerInbox, archive: any PulledPostArchive, limits: Limits = Limits()) {
        self.server = server
        self.archive = archive
        self.limits = limits
    }

    /// Fetches all posts that wait.
    ///
    /// - Parameters:
    ///   - waitSeconds: how long the server waits for a post if none waits.
    ///   - archived: called after each post.
    /// - Throws: `CancellationError` if the calling task is cancelled.
    package func run(waitSeconds: Int = 0, archived: @Sendable () -> Void = {}) async throws -> Report {
        var report = Report()
        do {
            try await confirm(archive.unconfirmed())
            try await fetch(waitSeconds: waitSeconds, archived: archived, &report)
        } catch let failure as SyncFailure {
            report.failure = failure
        }
        return report
    }

    private func fetch(waitSeconds: Int, archived: @Sendable () -> Void, _ report: inout Report) async throws {
        var last: String?
        var failed = 0
        while true {
            let page = try await server.posts(after: last, waitSeconds: last == nil ? waitSeconds : 0)
            guard let end = page.last?.id else { return }
            guard Self.ascend(page, after: last) else { throw unusable("the list of posts is not in order") }
            var pending: [String] = []
            var pendingBytes: Int64 = 0
            for post in page {
                try Task.checkCancellation()
                let before = report.bytes
                failed += 1
                guard failed <= limits.failedPosts, report.posts < limits.posts else {
                    try await confirm(pending)
                    throw failed > limits.failedPosts
                        ? unusable("the list of posts does not end")
                        : SyncFailure(
                            .serverUnavailable, subject: server.address,
                            reason: "more than \(limits.posts) posts wait there", advice: "pull again for the others")
                }
                do {
                    guard try await store(post, archived: archived, &report) else { continue }
                } catch let failure as SyncFailure where failure.code == .badInput {
                    report.damaged.append(failure)
                    continue
                }
                failed = 0
                pending.append(post.id)
                pendingBytes += report.bytes - before
                if pending.count >= Self.postsPerConfirmation || pendingBytes >= Self.bytesPerConfirmation {
                    try await confirm(pending)
                    (pending, pendingBytes) = ([], 0)
                }
            }
            try await confirm(pending)
            last = end
        }
    }

    /// Returns whether the ids of `page` follow `last` and each other.
    private static func ascend(_ page: [WaitingPost], after last: String?) -> Bool {
        let ids = (last.map { [$0] } ?? []) + page.map(\.id)
        return zip(ids, ids.dropFirst()).allSatisfy { $0.precedesInBytes($1) }
    }

    private func unusable(_ reason: String) -> SyncFailure {
        SyncFailure(
            .serverUnavailable, subject: server.address, reason: reason, advice: "check the version of the server")
    }

    /// Archives a post, unless it is archived already. Returns `false` if it no longer exists on the server.
    private func store(
        _ post: WaitingPost, archived: @Sendable () -> Void, _ report: inout Report
    ) async throws -> Bool {
        guard let writer = try archive.begin(pulling: post.id) else { return true }
        do {
            guard try await server.fetch(post, into: writer) else {
                writer.discard()
                return false
            }
        } catch {
            writer.discard()
            throw error
        }
        report.bytes += try await writer.commit()
        report.posts += 1
        archived()
        return true
    }

    /// Lets the server delete archived posts.
    private func confirm(_ ids: [String]) async throws {
        for start in stride(from: 0, to: ids.count, by: Self.postsPerConfirmation) {
            let some = Array(ids[start..<min(ids.count, start + Self.postsPerConfirmation)])
            try await server.confirm(some)
            try await archive.confirmed(some)
        }
    }
}

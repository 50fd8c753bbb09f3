import Foundation
package import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSupport
import Synchronization

/// The inboxes of a server: an archive for each user, in a folder named after the user, where posts wait until another
/// machine has pulled them. One process uses the folder at a time.
package final class UserInboxes: Sendable {
    private struct State {
        var archives: [UserName: FileInboxArchive] = [:]
        var waits: [Int: (user: UserName, tokenID: String?, arrivals: AsyncStream<Void>.Continuation)] = [:]
        var lastWait = 0
        var isEnding = false
        var archived = 0
        var confirmed = 0
    }

    /// The limits of a request's wait for a post.
    struct Wait: Sendable {
        /// For at most this time.
        var milliseconds: Int64
        /// The token of the request; `nil` if the server requires none.
        var tokenID: String?
        /// Ends the wait if the connection is needed.
        var response: ResponseWait
    }

    /// The number of requests of one token that may wait at once. A further one ends the one that has waited longest.
    package static let mostWaitsOfToken = 8

    private let folder: String
    private let quota: Int64
    private let state = Mutex(State())

    /// - Parameters:
    ///   - folder: the folder of all inboxes, which is created for the first post.
    ///   - quota: the maximum size of the waiting posts of each user, in bytes.
    package init(folder: String, quota: Int64) {
        self.folder = folder
        self.quota = quota
    }

    /// Finds the posts that wait and deletes what killed writers left.
    ///
    /// - Throws: `SyncFailure` with `.storage` or `.diskFull`.
    package func prepare() throws {
        var users: [UserName] = []
        try ArchiveFiles.reporting(folder) { () throws(SystemError) in
            try FileSystem.makeFolder(folder)
            try FileSystem.forEachName(in: folder) { name in
                let isFolder = (try? FileDetails(of: "\(folder)/\(name)"))?.isFolder == true
                if isFolder, let user = UserName(name) { users.append(user) }
            }
        }
        for user in users { try archive(of: user).prepare() }
    }

    /// Returns the archive of a user.
    func archive(of user: UserName) -> FileInboxArchive {
        state.withLock { state in
            if let archive = state.archives[user] { return archive }
            let archive = FileInboxArchive(folder: "\(folder)/\(user.text)", quota: quota)
            state.archives[user] = archive
            return archive
        }
    }

    /// Notes that a post of the user was archived, and wakes those who wait for it.
    package func received(for user: UserName) {
        let waits = state.withLock { state in
            state.archived += 1
            return state.waits.values.filter { $0.user == user }.map(\.arrivals)
        }
        for wait in waits { wait.finish() }
    }

    /// Returns up to `limit` posts of the user that wait and whose ids follow `id`, in order. If none waits and `wait` is
    /// given, waits for one.
    func posts(
        of user: UserName, after id: String?, limit: Int, waiting wait: Wait?, time: any TimeSource
    ) async throws -> [WaitingPost] {
        let archive = archive(of: user)
        guard let wait else { return try await archive.waiting(after: id, limit: limit) }
        // Before the archive is read, so that no post arrives in between.
        let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
        let number = begin(continuation, of: user, tokenID: wait.tokenID)
        defer { state.withLock { $0.waits[number] = nil } }
        let posts = try await archive.waiting(after: id, limit: limit)
        guard posts.isEmpty else { return posts }
        await wait.response.run(endedBy: { continuation.finish() }) {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in arrivals {} }
                group.addTask { try? await time.wait(milliseconds: wait.milliseconds) }
                await group.next()
                group.cancelAll()
            }
        }
        return try await archive.waiting(after: id, limit: limit)
    }

    private func begin(_ arrivals: AsyncStream<Void>.Continuation, of user: UserName, tokenID: String?) -> Int {
        let (number, oldest) = state.withLock { state in
            state.lastWait += 1
            guard !state.isEnding else { return (state.lastWait, arrivals as AsyncStream<Void>.Continuation?) }
            let own = state.waits.filter { $0.value.user == user && $0.value.tokenID == tokenID }
            let oldest =
                own.count < Self.mostWaitsOfToken
                ? nil
                : own.keys.min().flatMap {
                    state.waits.removeValue(forKey: $0)?.arrivals
                }
            state.waits[state.lastWait] = (user, tokenID, arrivals)
            return (state.lastWait, oldest)
        }
        oldest?.finish()
        return number
    }

    /// Deletes posts that the user's machine has archived. Ids that do not exist are ignored.
    func confirm(_ ids: [String], of user: UserName) async throws {
        let removed = try await archive(of: user).remove(ids)
        state.withLock { $0.confirmed += removed }
    }

    /// Ends all waits, because the server stops.
    package func endWaits() {
        let waits = state.withLock { state in
            state.isEnding = true
            return state.waits.values.map(\.arrivals)
        }
        for wait in waits { wait.finish() }
    }

    /// Returns the counters in the Prometheus text format, over all users.
    func metricsText() -> String {
        let (archived, confirmed, archives) = state.withLock { ($0.archived, $0.confirmed, $0.archives.values) }
        let totals = archives.compactMap { $0.usage?.totals }
        return """
            # TYPE healthsync_inbox_archived_posts_total counter
            healthsync_inbox_archived_posts_total \(archived)
            # TYPE healthsync_inbox_confirmed_posts_total counter
            healthsync_inbox_confirmed_posts_total \(confirmed)
            # TYPE healthsync_inbox_waiting_posts gauge
            healthsync_inbox_waiting_posts \(totals.reduce(0) { $0 + $1.posts })
            # TYPE healthsync_inbox_waiting_bytes gauge
            healthsync_inbox_waiting_bytes \(totals.reduce(0) { $0 + $1.bytes })

            """
    }
}

import HealthSyncDomain
import Synchronization

/// What the posts of one user take on a server, and the limit. Posts that are being received count as well.
final class InboxUsage: Sendable {
    private struct State {
        var bytes: Int64 = 0
        var posts = 0
    }

    private let quota: Int64
    private let state = Mutex(State())

    /// What is counted for each post in addition to its bytes, so that empty posts fill the quota, too.
    static let bytesPerPost: Int64 = 4096

    /// - Parameter quota: in bytes.
    init(quota: Int64) { self.quota = quota }

    /// The bytes of the posts, and how many posts wait.
    var totals: (bytes: Int64, posts: Int) { state.withLock { ($0.bytes, $0.posts) } }

    /// Adds the bytes that are about to be written. Throws `.diskFull`, and adds nothing, if that exceeds the quota.
    func reserve(_ bytes: Int64) throws(SyncFailure) {
        let isWithin = state.withLock { state in
            guard state.bytes + bytes <= quota else { return false }
            state.bytes += bytes
            return true
        }
        guard isWithin else {
            throw SyncFailure(
                .diskFull, subject: "inbox", reason: "the posts of a user exceed the quota of \(quota) bytes",
                advice: "fetch them with `healthsync pull`, or raise --inbox-quota")
        }
    }

    /// Removes the bytes of a post that is discarded before it was published.
    func release(_ bytes: Int64) { state.withLock { $0.bytes -= bytes } }

    /// Counts a post whose bytes are reserved.
    func published() { state.withLock { $0.posts += 1 } }

    /// Counts a post that was in the archive before, even if it exceeds the quota.
    func found(bytes: Int64) {
        state.withLock { state in
            state.bytes += bytes + Self.bytesPerPost
            state.posts += 1
        }
    }

    /// Removes a post from the count.
    func removed(bytes: Int64) {
        state.withLock { state in
            state.bytes -= bytes + Self.bytesPerPost
            state.posts -= 1
        }
    }
}
